import Foundation

/// Something that grows.
public protocol Growing {
    var height: Double { get }
    func grow(by amount: Double) -> Bool
}

enum Season: String {
    case spring, summer
    case winter
}

class Plant: Growing {
    static let limit = 100.0
    private(set) var height: Double = 0
    let name: String
    weak var neighbour: Plant?

    init(name: String, near neighbour: Plant? = nil) {
        self.name = name
        self.neighbour = neighbour
    }

    func grow(by amount: Double) -> Bool {
        guard height + amount <= Plant.limit else { return false }
        height += amount
        return true
    }

    var isTall: Bool { height > Plant.limit / 2 }
}

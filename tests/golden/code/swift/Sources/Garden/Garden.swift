struct Garden<Item: Growing> {
    typealias Rows = [Item]
    var rows: Rows = []
    var season = Season.spring

    mutating func plant(_ item: Item) {
        rows.append(item)
    }

    func total() -> Double {
        rows.map { $0.height }.reduce(0, +)
    }
}

extension Plant {
    func greet() -> String {
        if let neighbour, let other = neighbour.neighbour {
            return neighbour.name + other.name
        }
        return name
    }
}

extension Garden where Item == Plant {
    func tallest() -> Plant? {
        for plant in rows where plant.isTall {
            switch season {
            case .winter: continue
            default: return plant
            }
        }
        return rows.first
    }
}

func makeGarden() -> Garden<Plant> {
    var garden = Garden<Plant>()
    let rose = Plant(name: "rose")
    garden.plant(rose)
    let names = [rose].map { item in item.greet() }
    print(names, garden.tallest()?.grow(by: 2) ?? false)
    return garden
}

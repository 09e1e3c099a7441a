size = 3


class Box:
    limit = 2

    def __init__(self, size=size, limit=limit):
        self.size = size
        self.limit = limit

    def fits(self, sizes):
        if any(size > self.limit for size in sizes):
            return False
        for size in sizes:
            size += 1
        return max((size for size in sizes), key=lambda size, low=size: size)

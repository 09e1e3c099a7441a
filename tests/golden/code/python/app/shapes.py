from dataclasses import dataclass
from typing import Callable, Iterator, List, Union

Shape = Union["Square", "Group"]


class Base:
    name: str

    @property
    def size(self) -> int:
        return 1

    @size.setter
    def size(self, value: int) -> None:
        self.changed = value


@dataclass
class Square(Base):
    side: int = 1

    def area(self) -> int:
        return self.side * self.side


class Group(Base):
    def __init__(self, parts: List[Shape], name: str):
        self.parts = parts
        self.name = name

    def __getitem__(self, at: int) -> Square:
        return self.parts[at]

    def __iter__(self) -> Iterator[Square]:
        return iter(self.parts)


def grouped(name: str) -> Callable[[Callable], Group]:
    return lambda f: Group([f()], name=name)


@grouped("all")
def everything():
    return Square(side=2)


def largest[T](shapes: List[T], group: Group) -> T:
    everything.name
    group[0].area()
    for at, part in enumerate(group):
        part.area()
    for shape in each(shapes):
        shape.area()
    group.name = "seen"
    return max(shapes)


def each(value):
    if isinstance(value, Square):
        value.area()
    yield Square()

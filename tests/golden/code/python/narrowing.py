from typing import Union


class Cat:
    name = "cat"

    def purr(self):
        pass


class Kitten(Cat):
    def play(self):
        pass


class Dog:
    name = "dog"

    def bark(self):
        pass


def classes(pet: Union[Cat, Dog], base: Cat, unknown):
    pet.name
    if isinstance(pet, Dog):
        pet.name
    else:
        pet.name
    if not isinstance(pet, Dog):
        return pet.name
    pet.name
    base.play() if isinstance(base, Kitten) else base.purr()
    if isinstance(unknown, (Kitten, Dog)) and unknown.name:
        unknown.bark()
    pet = Cat()
    pet.name


def asserted(pet: Union[Cat, Dog], pets: list[Union[Cat, Dog]]):
    names = [it.name for it in pets if isinstance(it, Dog)]
    while hasattr(pet, "bark"):
        pet.name
    assert isinstance(pet, Dog)
    return pet.name

//! Sorts letters into boxes.
mod depot;
mod letter;
pub mod sorting;

pub use crate::letter::{Letter, Weight as Grams};
pub use sorting::*;

macro_rules! stamp {
    ($price:expr) => {
        $price + 1
    };
}

pub fn deliver(letters: Vec<Letter>) -> Option<Grams> {
    let mut office = Office::new("north");
    for letter in letters {
        office.accept(letter);
    }
    let first = office.letters.first()?;
    println!("{}", first.weight().value);
    let total = stamp!(3);
    Some(Grams { value: total })
}

impl Office {
    pub fn heaviest(&self) -> Option<&Letter> {
        self.letters.iter().find(|it| it.weight().value > LIMIT)
    }
}

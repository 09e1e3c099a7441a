use super::letter::Letter;

pub const LIMIT: u32 = 20;

pub trait Sorter {
    fn accept(&mut self, letter: Letter);

    fn accept_all(&mut self, letters: Vec<Letter>) {
        for letter in letters {
            self.accept(letter);
        }
    }
}

pub struct Office {
    name: String,
    pub letters: Vec<Letter>,
}

impl Office {
    pub fn new(name: &str) -> Self {
        let name = name.to_string();
        Office { name, letters: Vec::new() }
    }
}

impl Sorter for Office {
    fn accept(&mut self, letter: Letter) {
        if letter.weight().value <= LIMIT {
            self.letters.push(letter);
        }
    }
}

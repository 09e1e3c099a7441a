//! Items that macros hand on, modules in a file, type parameters of an `impl`, what derefs.
use std::ops::Deref;
use std::sync::Mutex;

use crate::letter::{Address, Letter, Weight};

macro_rules! cfg_storage {
    ($($item:item)*) => { $( #[cfg(feature = "storage")] $item )* }
}

cfg_storage! {
    /// Letters that wait for someone.
    pub struct Shelf<T> {
        kept: Vec<T>,
    }

    impl<U> Shelf<U> {
        pub fn top(&self) -> Option<&U> {
            self.kept.last()
        }
    }

    thread_local! {
        static NEAREST: Shelf<Letter> = Shelf { kept: vec![] };
    }
}

lazy_static! {
    static ref BUSY: Mutex<Shelf<Letter>> = Mutex::new(Shelf { kept: Vec::new() });
}

cfg_if::cfg_if! {
    if #[cfg(unix)] {
        fn home() -> Address { Address::Unknown }
    } else {
        fn away() -> Address { Address::Unknown }
    }
}

quote! {
    fn #name() {}
}

mod parts {
    pub mod weights {
        pub use crate::letter::Weight as Heavy;
        pub fn nothing() -> Heavy { Heavy { value: 0 } }
    }
    pub use self::weights::*;
}

pub use self::parts::*;

type Load = Weight;

impl Load {
    fn empty() -> Load { Weight { value: 0 } }
}

pub struct Guard<T> {
    held: T,
}

impl<T> Deref for Guard<T> {
    type Target = T;
    fn deref(&self) -> &T { &self.held }
}

trait Carrier {
    type Cargo: Deref;
    fn spare() -> Weight;
}

fn carry<C: Carrier>(_: &C, parts: Guard<Letter>) -> u32 {
    let lightest = parts::nothing().value.min(C::spare().value);
    let load = Load::empty();
    lightest + parts.weight().value + load.value
}

fn sorted(shelf: &Shelf<Letter>, guard: Guard<Shelf<Letter>>) {
    let first = shelf.top().map(|letter| letter.weight());
    for (index, letter) in shelf.kept.iter().enumerate() {
        println!("{} {}", index, letter.weight());
    }
    NEAREST.with(|near| near.top());
    BUSY.lock().unwrap().top();
    guard.top().unwrap().weight();
    assert_eq!(shelf.kept[0].weight(), Weight { value: 3 }.value);
    match home() {
        Address::Box { number } => drop(Address::Box { number }),
        _ => drop(first),
    }
}

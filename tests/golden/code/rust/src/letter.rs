use std::fmt;

pub struct Weight {
    pub value: u32,
}

pub enum Address {
    Street(String),
    Box { number: u32 },
    Unknown,
}

pub struct Letter {
    pub to: Address,
    weight: Weight,
}

impl Letter {
    pub fn new(to: Address, value: u32) -> Self {
        Self { to, weight: Weight { value } }
    }

    pub fn weight(&self) -> &Weight {
        &self.weight
    }
}

impl fmt::Display for Letter {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match &self.to {
            Address::Street(name) => write!(out, "{}", name),
            Address::Box { number } => write!(out, "box {}", number),
            Address::Unknown => Ok(()),
        }
    }
}

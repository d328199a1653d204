//! Hands for the measurements.

/// A small generator of pseudo-random numbers: the same hands every time.
pub struct Dealer(u64);

impl Dealer {
    /// A dealer that deals the same every time.
    pub fn new() -> Self {
        Dealer(0x9E37_79B9_7F4A_7C15)
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % limit
    }

    /// That many deals of `N` different cards.
    pub fn deals<const N: usize>(&mut self, count: usize) -> Vec<[u8; N]> {
        let mut deck: [u8; 52] = std::array::from_fn(|card| card as u8);
        let mut deal = |_| {
            for place in 0..N {
                deck.swap(place, place + self.below(52 - place));
            }
            std::array::from_fn(|place| deck[place])
        };
        (0..count).map(&mut deal).collect()
    }
}

impl Default for Dealer {
    fn default() -> Self {
        Self::new()
    }
}

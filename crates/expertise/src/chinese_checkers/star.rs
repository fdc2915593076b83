//! The small star: a hexagon of side four and six triangles of six fields, 73 fields in all.
//!
//! Fields have three coordinates that sum to 0, and neighbours differ by one step in one of six directions. A field is
//! on the star if it lies in one of the two large triangles that make it up.

use std::collections::HashMap;

/// Fields of the star.
pub const FIELDS: usize = 73;
/// The farthest that a triangle's base lies from the middle.
const SIDE: i32 = 3;
/// No field.
const NONE: u8 = u8::MAX;

/// A set of fields.
pub type Fields = u128;

/// The star with its neighbours.
#[derive(Clone, Debug)]
pub struct Star {
    /// By field and direction: the neighbour, and the field behind it.
    near: Vec<[(u8, u8); 6]>,
    home: Fields,
    start: Fields,
    /// By field: its row from the top, and how far to the right it is, in half fields.
    places: Vec<(usize, usize)>,
}

const DIRECTIONS: [[i32; 3]; 6] = [[1, -1, 0], [1, 0, -1], [0, 1, -1], [-1, 1, 0], [-1, 0, 1], [0, -1, 1]];

impl Default for Star {
    fn default() -> Self {
        Self::new()
    }
}

impl Star {
    /// The star.
    pub fn new() -> Self {
        let range = || -2 * SIDE..=2 * SIDE;
        let mut fields: Vec<[i32; 3]> = Vec::new();
        for a in range() {
            for b in range() {
                let c = -a - b;
                let up = [a, b, c].iter().all(|&x| x <= SIDE);
                let down = [a, b, c].iter().all(|&x| x >= -SIDE);
                if up || down {
                    fields.push([a, b, c]);
                }
            }
        }
        let numbers: HashMap<[i32; 3], u8> = fields.iter().zip(0..).map(|(&f, i)| (f, i)).collect();
        let step = |f: [i32; 3], d: [i32; 3], far: i32| {
            let there = [f[0] + far * d[0], f[1] + far * d[1], f[2] + far * d[2]];
            numbers.get(&there).copied().unwrap_or(NONE)
        };
        let near = fields.iter().map(|&f| DIRECTIONS.map(|d| (step(f, d, 1), step(f, d, 2)))).collect();
        let corner = |inside: &dyn Fn(&[i32; 3]) -> bool| {
            fields.iter().zip(0..).filter(|(f, _)| inside(f)).fold(0, |set: Fields, (_, i)| set | 1 << i)
        };
        let place = |f: &[i32; 3]| ((f[0] + 2 * SIDE) as usize, (f[0] + 2 * f[1] + 3 * SIDE) as usize);
        let places = fields.iter().map(place).collect();
        Self { near, home: corner(&|f| f[0] > SIDE), start: corner(&|f| f[0] < -SIDE), places }
    }

    /// The triangle to be filled.
    pub fn home(&self) -> Fields {
        self.home
    }

    /// The triangle opposite.
    pub fn start(&self) -> Fields {
        self.start
    }

    /// The star in lines, each field by its mark, in so many columns a field.
    pub fn drawn(&self, columns: usize, mark: impl Fn(usize) -> String) -> String {
        let mut lines = vec![String::new(); 4 * SIDE as usize + 1];
        for (field, &(row, right)) in self.places.iter().enumerate() {
            let (line, mark) = (&mut lines[row], mark(field));
            let end = right * columns / 2 + columns - 1;
            let blanks = end.saturating_sub(line.len() + mark.len());
            line.push_str(&" ".repeat(blanks));
            line.push_str(&mark);
        }
        lines.join("\n")
    }

    /// Calls `each` with every set that one move of a piece makes: a step to an empty neighbour, or a chain of jumps, each
    /// over one piece to the empty field behind it. Ways to the same field are one move.
    pub fn moves(&self, set: Fields, each: &mut dyn FnMut(Fields)) {
        let mut left = set;
        while left != 0 {
            let from = left.trailing_zeros() as u8;
            left &= left - 1;
            let rest = set & !(1 << from);
            let mut reached: Fields = 1 << from;
            for &(next, _) in &self.near[usize::from(from)] {
                if next != NONE && set >> next & 1 == 0 {
                    reached |= 1 << next;
                }
            }
            let mut landed: Fields = 1 << from;
            let mut open = landed;
            while open != 0 {
                let at = open.trailing_zeros() as usize;
                open &= open - 1;
                for &(over, to) in &self.near[at] {
                    if to != NONE && rest >> over & 1 != 0 && rest >> to & 1 == 0 && landed >> to & 1 == 0 {
                        landed |= 1 << to;
                        open |= 1 << to;
                    }
                }
            }
            let mut ends = (reached | landed) & !(1 << from);
            while ends != 0 {
                let to = ends.trailing_zeros();
                ends &= ends - 1;
                each(rest | 1 << to);
            }
        }
    }
}

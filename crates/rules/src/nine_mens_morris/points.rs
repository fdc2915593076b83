//! The 24 points of the board: who is a neighbour of whom, what makes a mill, and what symmetries do.
//!
//! A point is 8 x ring + place: ring 0 is the outer square, 2 the inner one; place 0 is the upper left corner, and
//! places go round with the clock, so that even ones are corners and odd ones the middles of sides. A set of points is
//! a word of 24 bits.

/// A set of points.
pub type Points = u32;

/// All points.
pub const ALL: Points = 0xff_ffff;

/// The symmetries of the board: four turns, each with and without a mirror, each with and without the inner and the
/// outer square exchanged.
pub const SYMMETRIES: usize = 16;

/// How many ways there are to permute the points so that mills stay mills: all orders of the three squares. Where
/// everybody flies these are symmetries too; the first [`SYMMETRIES`] are those of the board.
pub const MILL_SYMMETRIES: usize = 48;

/// The orders of the squares: as they are, outer and inner exchanged, and those that move the middle one.
const ORDERS: [[u8; 3]; 6] = [[0, 1, 2], [2, 1, 0], [1, 0, 2], [0, 2, 1], [1, 2, 0], [2, 0, 1]];

/// Where symmetry `s` takes a point.
pub const fn image_point(point: usize, s: usize) -> usize {
    let (ring, mut place) = (point / 8, point % 8);
    if s & 4 != 0 {
        place = (8 - place) % 8;
    }
    8 * ORDERS[s / 8][ring] as usize + (place + 2 * (s & 3)) % 8
}

/// The neighbours of each point.
pub const NEIGHBOURS: [Points; 24] = {
    let mut out = [0; 24];
    let mut point = 0;
    while point < 24 {
        let (ring, place) = (point / 8, point % 8);
        out[point] = 1 << (8 * ring + (place + 1) % 8) | 1 << (8 * ring + (place + 7) % 8);
        if place % 2 == 1 {
            if ring > 0 {
                out[point] |= 1 << (point - 8);
            }
            if ring < 2 {
                out[point] |= 1 << (point + 8);
            }
        }
        point += 1;
    }
    out
};

/// For each point the other two points of the two mills through it.
pub const MILLS: [[Points; 2]; 24] = {
    let mut out = [[0; 2]; 24];
    let mut point = 0;
    while point < 24 {
        let (ring, place) = (8 * (point / 8), point % 8);
        if place % 2 == 0 {
            out[point] = [
                1 << (ring + (place + 1) % 8) | 1 << (ring + (place + 2) % 8),
                1 << (ring + (place + 7) % 8) | 1 << (ring + (place + 6) % 8),
            ];
        } else {
            let across = (1 << place | 1 << (8 + place) | 1 << (16 + place)) & !(1 << point);
            out[point] = [1 << (ring + (place + 1) % 8) | 1 << (ring + (place + 7) % 8), across];
        }
        point += 1;
    }
    out
};

/// Images of eight points at a time, by symmetry and square.
static IMAGES: [[[Points; 256]; 3]; MILL_SYMMETRIES] = {
    let mut out = [[[0; 256]; 3]; MILL_SYMMETRIES];
    let mut s = 0;
    while s < MILL_SYMMETRIES {
        let mut ring = 0;
        while ring < 3 {
            let mut set = 1;
            while set < 256 {
                let low = (set as u32).trailing_zeros() as usize;
                out[s][ring][set] = out[s][ring][set & (set - 1)] | 1 << image_point(8 * ring + low, s);
                set += 1;
            }
            ring += 1;
        }
        s += 1;
    }
    out
};

/// Where symmetry `s` takes a set.
#[inline]
pub fn image(set: Points, s: usize) -> Points {
    let images = &IMAGES[s];
    images[0][(set & 255) as usize]
        | images[1][(set >> 8 & 255) as usize]
        | images[2][(set >> 16 & 255) as usize]
}

/// Is the point in a mill of these men?
#[inline]
pub fn in_mill(men: Points, point: usize) -> bool {
    let [a, b] = MILLS[point];
    men & a == a || men & b == b
}

/// The men of a set that are in mills.
#[inline]
pub const fn milled(men: Points) -> Points {
    // From a corner on along a side, and from the outer square inward.
    let along = men & turned(men, 7) & turned(men, 6) & CORNERS;
    let across = men & men >> 8 & men >> 16 & MIDDLES;
    along | turned(along, 1) | turned(along, 2) | across | across << 8 | across << 16
}

/// The points that neighbour some point of the set.
#[inline]
pub const fn neighbours(set: Points) -> Points {
    let middles = set & MIDDLES;
    turned(set, 1) | turned(set, 7) | (middles << 8 | middles >> 8) & ALL
}

/// The corners of the squares, and the middles of their sides.
const CORNERS: Points = 0x0055_5555;
const MIDDLES: Points = 0x00aa_aaaa;

/// Every point moved on by so many places of its square, 1 to 7.
#[inline]
const fn turned(set: Points, places: u32) -> Points {
    // The first places of every square, so many as stay on this side of the first corner.
    let stay = 0x0001_0101 * (0xff >> places);
    let come = 0x0001_0101 * (0xff >> (8 - places));
    (set & stay) << places | set >> (8 - places) & come
}

/// The points of a set, in order.
#[inline]
pub fn each(mut set: Points) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let point = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(point)
    })
}

/// The column, from the left, and the row, from the bottom, of a point on the grid of seven by seven.
pub const fn square(point: usize) -> (usize, usize) {
    let (ring, place) = (point / 8, point % 8);
    let far = 3 - ring;
    let (x, y) = match place {
        0 => (-1, 1),
        1 => (0, 1),
        2 => (1, 1),
        3 => (1, 0),
        4 => (1, -1),
        5 => (0, -1),
        6 => (-1, -1),
        _ => (-1, 0),
    };
    ((3 + x * far as isize) as usize, (3 + y * far as isize) as usize)
}

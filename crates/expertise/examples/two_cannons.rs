//! Two cannons against a king with a minister, solved a second time with nothing of the databases: own moves, no symmetry,
//! no moves back, only passes over what is undecided. `cargo run --release -p endspiel-expertise --example two_cannons`.
//!
//! H. Fang, T. Hsu and S. Hsu (2000) print 34 plies as the longest mate of `KCCKM`; this and the databases find 33. As in
//! their paper, who can take the king or faces it has won: a value of n plies to the end of the king is mate in n - 2.

const NONE: usize = 90;
const STEPS: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const MINISTERS: [usize; 7] = [83, 87, 63, 67, 71, 47, 51];

/// A point is 9 * rank + file; who was taken stands on [`NONE`].
#[derive(Clone, Copy)]
struct Men {
    red: usize,
    black: usize,
    cannons: [usize; 2],
    minister: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Man {
    Nobody,
    Red,
    Cannon,
    Black,
    Minister,
}

type Board = [Man; 90];

fn step(from: usize, (file, rank): (i32, i32)) -> Option<usize> {
    let (file, rank) = ((from % 9) as i32 + file, (from / 9) as i32 + rank);
    ((0..9).contains(&file) && (0..10).contains(&rank)).then_some((9 * rank + file) as usize)
}

fn mirrored(point: usize) -> usize {
    if point == NONE { NONE } else { point / 9 * 9 + 8 - point % 9 }
}

/// The nine points of a palace, from its lowest rank.
fn palace(lowest: usize) -> impl Iterator<Item = usize> {
    (0..9).map(move |n| (lowest + n / 3) * 9 + 3 + n % 3)
}

impl Men {
    fn index(&self) -> usize {
        let king = |point: usize, lowest: usize| (point / 9 - lowest) * 3 + point % 9 - 3;
        let [low, high] = [self.cannons[0].min(self.cannons[1]), self.cannons[0].max(self.cannons[1])];
        let minister = MINISTERS.iter().position(|&point| point == self.minister).unwrap_or(7);
        (((king(self.red, 0) * 9 + king(self.black, 7)) * 91 + low) * 91 + high) * 8 + minister
    }

    fn mirror(&self) -> Men {
        Men {
            red: mirrored(self.red),
            black: mirrored(self.black),
            cannons: self.cannons.map(mirrored),
            minister: mirrored(self.minister),
        }
    }

    /// The board, unless two men stand on one point.
    fn board(&self) -> Option<Board> {
        let mut board = [Man::Nobody; 90];
        let [one, two] = self.cannons.map(|point| (point, Man::Cannon));
        for (point, man) in
            [(self.red, Man::Red), (self.black, Man::Black), one, two, (self.minister, Man::Minister)]
        {
            if point != NONE && std::mem::replace(&mut board[point], man) != Man::Nobody {
                return None;
            }
        }
        Some(board)
    }

    fn facing(&self, board: &Board) -> bool {
        self.red % 9 == self.black % 9
            && (self.red + 9..self.black).step_by(9).all(|point| board[point] == Man::Nobody)
    }

    /// What the moves of a side lead to; none if it takes the king.
    fn moves(&self, red: bool, to: &mut Vec<usize>) -> Option<()> {
        to.clear();
        let board = self.board()?;
        if self.facing(&board) {
            return None;
        }
        if red {
            self.red_moves(&board, to)
        } else {
            self.black_moves(&board, to);
            Some(())
        }
    }

    fn red_moves(&self, board: &Board, to: &mut Vec<usize>) -> Option<()> {
        for (which, &from) in self.cannons.iter().enumerate().filter(|(_, from)| **from != NONE) {
            for direction in STEPS {
                let (mut at, mut screen) = (from, false);
                while let Some(next) = step(at, direction) {
                    at = next;
                    let mut after = *self;
                    after.cannons[which] = at;
                    match (screen, board[at]) {
                        (false, Man::Nobody) => to.push(after.index()),
                        (false, _) => screen = true,
                        (true, Man::Nobody) => {}
                        (true, Man::Black) => return None,
                        (true, man) => {
                            if man == Man::Minister {
                                to.push(Men { minister: NONE, ..after }.index());
                            }
                            break;
                        }
                    }
                }
            }
        }
        let steps = STEPS.iter().filter_map(|&by| step(self.red, by));
        let steps = steps.filter(|&at| palace(0).any(|point| point == at) && board[at] != Man::Cannon);
        to.extend(steps.map(|red| Men { red, ..*self }.index()));
        Some(())
    }

    fn black_moves(&self, board: &Board, to: &mut Vec<usize>) {
        let taken = |at: usize| self.cannons.map(|point| if point == at { NONE } else { point });
        let steps = STEPS.iter().filter_map(|&by| step(self.black, by));
        let steps = steps.filter(|&at| palace(7).any(|point| point == at) && board[at] != Man::Minister);
        to.extend(steps.map(|at| Men { black: at, cannons: taken(at), ..*self }.index()));
        if self.minister == NONE {
            return;
        }
        for (file, rank) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
            let eye = step(self.minister, (file, rank)).is_some_and(|eye| board[eye] == Man::Nobody);
            let at = step(self.minister, (2 * file, 2 * rank)).filter(|at| eye && MINISTERS.contains(at));
            if let Some(at) = at.filter(|&at| board[at] != Man::Black) {
                to.push(Men { minister: at, cannons: taken(at), ..*self }.index());
            }
        }
    }
}

fn main() {
    let mut all = Vec::new();
    for red in palace(0) {
        for black in palace(7) {
            for minister in MINISTERS.into_iter().chain([NONE]) {
                for low in 0..=NONE {
                    let highs = if low == NONE { NONE..=NONE } else { low + 1..=NONE };
                    let each = highs.map(|high| Men { red, black, cannons: [low, high], minister });
                    all.extend(each.filter(|men| men.board().is_some()));
                }
            }
        }
    }
    // Plies until the king is taken, red to move and black to move; 0 is undecided.
    let mut plies = [vec![0_u8; 81 * 91 * 91 * 8], vec![0; 81 * 91 * 91 * 8]];
    let (mut open, mut to) = ([all.clone(), all.clone()], Vec::new());
    let mut idle = 0;
    for round in 1..=250 {
        let before = open[0].len() + open[1].len();
        for side in 0..2 {
            let mut decided = Vec::new();
            open[side].retain(|men| {
                let other = &plies[1 - side];
                let known = match men.moves(side == 0, &mut to) {
                    None => round == 1,
                    Some(()) if round % 2 == 1 => round > 1 && to.iter().any(|&men| other[men] == round - 1),
                    Some(()) => to.iter().all(|&men| other[men] % 2 == 1 && other[men] < round),
                };
                if known {
                    decided.push(men.index());
                }
                !known
            });
            for men in decided {
                plies[side][men] = round;
            }
        }
        idle = if open[0].len() + open[1].len() == before { idle + 1 } else { 0 };
        if idle > 2 {
            break;
        }
    }
    println!("ending  placements  facing  draws, Red and Black to move  longest mate, Red and Black to move");
    for (name, cannons, minister) in
        [("KCKM", 1, true), ("KCK", 1, false), ("KCCK", 2, false), ("KCCKM", 2, true)]
    {
        let (mut placements, mut facing, mut draws, mut longest) = (0, 0, [0; 2], [0; 2]);
        let men =
            all.iter().filter(|men| men.cannons.iter().filter(|&&point| point != NONE).count() == cannons);
        // A position and its mirror image count once.
        let men = men.filter(|men| (men.minister != NONE) == minister && men.index() <= men.mirror().index());
        for men in men {
            placements += 1;
            facing += u32::from(men.board().is_some_and(|board| men.facing(&board)));
            for side in 0..2 {
                let value = plies[side][men.index()];
                draws[side] += u32::from(value == 0);
                longest[side] = longest[side].max(value);
            }
        }
        let [red, black] = longest.map(|plies| if plies > 1 { (plies - 2).to_string() } else { "-".into() });
        println!("{name} {placements} {facing} {} {} {red} {black}", draws[0], draws[1]);
    }
}

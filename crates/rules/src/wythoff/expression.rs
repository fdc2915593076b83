//! The constraint function f(x1, y1, x0) of a two-pile game, as text and as something to compute with.
//!
//! The language: whole numbers, `x1 y1 x0`, `+ - * /` (rounded down), `^` (to the right, binds tightest) and
//! parentheses. Where f has no value (division by zero, a negative exponent, more than 63 bits), nothing may
//! be taken from both piles.

use endspiel_game::TextError;
use endspiel_game::notation::shorten;
use std::fmt;

/// Longest expression read; it bounds the depth of the recursion too.
const LONGEST: usize = 100;

const EXPECTED: &str = "an expression of whole numbers, x1, y1, x0, + - * / ^ and parentheses";

/// A limit on how different the two amounts may be when one takes from both piles: the amounts must differ by
/// less than f(x1, y1, x0), where the move leads from (x0, y0) to (x1, y1), each with the smaller pile first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Constraint {
    /// The same number everywhere: 0 is Nim, 1 Wythoff's game, t the generalised one.
    Constant(i64),
    /// x1 + 1: Hofstadter's sequence.
    G1,
    /// x0 - x1: B is twice A.
    G2,
    /// y1 - x1 + 1: B grows like 2^n.
    G3,
    /// Any expression.
    Expression(Expression),
}

impl Constraint {
    /// f(x1, y1, x0); 0 where it has no value.
    #[inline]
    pub fn at(&self, x1: i64, y1: i64, x0: i64) -> i64 {
        match self {
            Self::Constant(t) => *t,
            Self::G1 => x1 + 1,
            Self::G2 => x0 - x1,
            Self::G3 => y1 - x1 + 1,
            Self::Expression(e) => e.root.value([x1, y1, x0]).unwrap_or(0),
        }
    }

    /// Reads `nim`, `wythoff`, `g1`, `g2`, `g3`, `t=NUMBER` or `f=EXPRESSION`.
    pub fn read(text: &str) -> Result<Self, TextError> {
        let named = match text.to_ascii_lowercase().as_str() {
            "nim" => Some(Self::Constant(0)),
            "wythoff" => Some(Self::Constant(1)),
            "g1" => Some(Self::G1),
            "g2" => Some(Self::G2),
            "g3" => Some(Self::G3),
            _ => None,
        };
        if let Some(named) = named {
            return Ok(named);
        }
        if let Some(rest) = text.strip_prefix("t=") {
            let t = endspiel_game::notation::number(rest, "constant t", 0, 1_000_000)
                .map_err(|e| e.shifted(2))?;
            return Ok(Self::Constant(t as i64));
        }
        if let Some(rest) = text.strip_prefix("f=") {
            return Expression::read(rest).map(Self::Expression).map_err(|e| e.shifted(2));
        }
        Err(TextError::new(
            0,
            format!("'{}' names no constraint", shorten(text)),
            "nim, wythoff, g1, g2, g3, t=NUMBER or f=EXPRESSION in x1, y1, x0",
        ))
    }
}

impl fmt::Display for Constraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constant(0) => f.write_str("nim"),
            Self::Constant(1) => f.write_str("wythoff"),
            Self::Constant(t) => write!(f, "t={t}"),
            Self::G1 => f.write_str("g1"),
            Self::G2 => f.write_str("g2"),
            Self::G3 => f.write_str("g3"),
            Self::Expression(e) => write!(f, "f={}", e.text),
        }
    }
}

/// An expression in x1, y1, x0 with the text it was read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    text: String,
    root: Node,
}

impl Expression {
    /// Reads an expression; white space is ignored, and so is letter case.
    pub fn read(text: &str) -> Result<Self, TextError> {
        if text.len() > LONGEST {
            return Err(TextError::new(
                LONGEST,
                "the expression is too long",
                format!("at most {LONGEST} characters"),
            ));
        }
        let mut reader = Reader { text: text.as_bytes(), at: 0 };
        let root = reader.sum()?;
        reader.skip_space();
        if reader.at < text.len() {
            return Err(reader.error("something is left over after the expression"));
        }
        let text = text.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_ascii_lowercase()).collect();
        Ok(Self { text, root })
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Node {
    Number(i64),
    /// 0 is x1, 1 is y1, 2 is x0.
    Variable(usize),
    Minus(Box<Node>),
    Both(u8, Box<(Node, Node)>),
}

impl Node {
    fn value(&self, variables: [i64; 3]) -> Option<i64> {
        match self {
            Self::Number(n) => Some(*n),
            Self::Variable(i) => Some(variables[*i]),
            Self::Minus(inner) => inner.value(variables)?.checked_neg(),
            Self::Both(sign, sides) => {
                let (a, b) = (sides.0.value(variables)?, sides.1.value(variables)?);
                match sign {
                    b'+' => a.checked_add(b),
                    b'-' => a.checked_sub(b),
                    b'*' => a.checked_mul(b),
                    b'/' => floor_division(a, b),
                    _ => power(a, b),
                }
            }
        }
    }
}

fn floor_division(a: i64, b: i64) -> Option<i64> {
    let quotient = a.checked_div(b)?;
    Some(if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient })
}

fn power(base: i64, exponent: i64) -> Option<i64> {
    match base {
        _ if exponent < 0 => None,
        1 => Some(1),
        -1 => Some(1 - 2 * (exponent % 2)),
        _ => base.checked_pow(u32::try_from(exponent).ok()?),
    }
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn error(&self, what: &str) -> TextError {
        TextError::new(self.at, what, EXPECTED)
    }

    fn skip_space(&mut self) {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    fn take(&mut self, signs: &[u8]) -> Option<u8> {
        self.skip_space();
        let sign = *self.text.get(self.at)?;
        signs.contains(&sign).then(|| {
            self.at += 1;
            sign
        })
    }

    fn sum(&mut self) -> Result<Node, TextError> {
        let mut left = self.product()?;
        while let Some(sign) = self.take(b"+-") {
            left = Node::Both(sign, Box::new((left, self.product()?)));
        }
        Ok(left)
    }

    fn product(&mut self) -> Result<Node, TextError> {
        let mut left = self.signed()?;
        while let Some(sign) = self.take(b"*/") {
            left = Node::Both(sign, Box::new((left, self.signed()?)));
        }
        Ok(left)
    }

    fn signed(&mut self) -> Result<Node, TextError> {
        if self.take(b"-").is_some() {
            return Ok(Node::Minus(Box::new(self.signed()?)));
        }
        let base = self.atom()?;
        if self.take(b"^").is_some() {
            return Ok(Node::Both(b'^', Box::new((base, self.signed()?))));
        }
        Ok(base)
    }

    fn atom(&mut self) -> Result<Node, TextError> {
        if self.take(b"(").is_some() {
            let inner = self.sum()?;
            return match self.take(b")") {
                Some(_) => Ok(inner),
                None => Err(self.error("a closing parenthesis is missing")),
            };
        }
        self.skip_space();
        let rest = &self.text[self.at..];
        for (i, name) in [b"x1", b"y1", b"x0"].into_iter().enumerate() {
            if rest.len() >= 2 && rest[..2].eq_ignore_ascii_case(name) {
                self.at += 2;
                return Ok(Node::Variable(i));
            }
        }
        let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
        if digits == 0 {
            let what = if rest.is_empty() { "the expression breaks off" } else { "no number or variable" };
            return Err(self.error(what));
        }
        let number = rest[..digits]
            .iter()
            .try_fold(0i64, |n, &digit| n.checked_mul(10)?.checked_add(i64::from(digit - b'0')));
        match number {
            Some(n) => {
                self.at += digits;
                Ok(Node::Number(n))
            }
            None => Err(self.error("the number is too large")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Option<i64> {
        Expression::read(text).unwrap().root.value([3, 7, 5])
    }

    #[test]
    fn arithmetic_is_the_usual_one() {
        assert_eq!(value("x1 + y1*x0"), Some(38));
        assert_eq!(value("2^3^2"), Some(512));
        assert_eq!(value("-2^2"), Some(-4));
        assert_eq!(value("(-1)^y1 - (-1)^x1 + 3"), Some(3));
        assert_eq!(value("-7/2"), Some(-4));
        assert_eq!(value("7/-2"), Some(-4));
        assert_eq!(value("-6/2"), Some(-3));
        assert_eq!(value("10-3-2"), Some(5));
        assert_eq!(value("1/(x1-3)"), None);
        assert_eq!(value("2^(-1)"), None);
        assert_eq!(value("2^64"), None);
        assert_eq!(value("(-1)^(2^40)"), Some(1));
    }

    #[test]
    fn errors_point_at_the_place() {
        let at = |text: &str| Expression::read(text).unwrap_err().at;
        assert_eq!(at("x1+"), 3);
        assert_eq!(at("x1+z"), 3);
        assert_eq!(at("(x1+1"), 5);
        assert_eq!(at("x1 1"), 3);
        assert_eq!(at("99999999999999999999"), 0);
        assert_eq!(Constraint::read("f=x1)").unwrap_err().at, 4);
        assert!(Expression::read(&"(".repeat(90)).is_err());
    }
}

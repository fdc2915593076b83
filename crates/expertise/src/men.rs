//! Reading the names of endings, and numbers of men for all of them.

use endspiel_game::TextError;
use endspiel_game::notation::{shorten, words};
use std::ops::RangeInclusive;

/// Reads endings, each by its name, or all with so many men: numbers such as `4`, or ranges such as `3-4`.
pub(crate) fn read_endings<M, A: IntoIterator<Item = M>>(
    text: &str,
    men: RangeInclusive<u8>,
    all: impl Fn(u8) -> A,
    one: impl Fn(&str) -> Result<M, TextError>,
) -> Result<Vec<M>, TextError> {
    let mut out = Vec::new();
    for (at, word) in words(text) {
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            let (low, high) = word.split_once('-').unwrap_or((word, word));
            let number = |text: &str| text.parse().ok().filter(|n| men.contains(n));
            match (number(low), number(high)) {
                (Some(low), Some(high)) if low <= high => out.extend((low..=high).flat_map(&all)),
                (Some(low), Some(high)) => {
                    let what = format!("'{}' has the greater number first", shorten(word));
                    return Err(TextError::new(at, what, format!("the lower one first: {high}-{low}")));
                }
                _ => {
                    let what = format!("'{}' is no number of men", shorten(word));
                    let expected = format!("{} to {}, such as 4 or 3-4", men.start(), men.end());
                    return Err(TextError::new(at, what, expected));
                }
            }
        } else {
            out.push(one(word).map_err(|e| e.shifted(at))?);
        }
    }
    Ok(out)
}

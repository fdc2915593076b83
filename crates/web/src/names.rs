//! Names that people give: of saved games, and of players in records. They are shown amid other words, so signs that would
//! break the line, or turn the rest of it round, are taken out.

/// The name with blanks for controls and line breaks, and without signs that set the direction of what follows (Unicode
/// Standard Annex 9, section 2). Marks with a direction of their own, such as U+200F, stay: they reach no further than the name.
pub fn plain(name: &str) -> String {
    let fit = |sign: &char| !matches!(sign, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}');
    let breaks = |sign: char| sign.is_control() || matches!(sign, '\u{2028}' | '\u{2029}');
    name.chars().filter(fit).map(|sign| if breaks(sign) { ' ' } else { sign }).collect()
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn what_would_turn_a_line_round_is_taken_out() {
        assert_eq!(plain("abc\u{202e}gpj.exe\u{2066}\u{2069}"), "abcgpj.exe");
        assert_eq!(plain("a\u{0}b\nc\u{2028}d"), "a b c d");
        for name in ["Łódź", "שלום", "مرحبا", "羽生善治", "a – b", "\u{200f}שלום"] {
            assert_eq!(plain(name), name);
        }
    }
}

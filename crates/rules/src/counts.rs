//! Published counts as data: lines of `variant depth count # source`, where `-` is the standard variant.

/// The variant, the depth and the count of every line.
pub fn read(text: &str) -> impl Iterator<Item = (&str, u32, u64)> {
    text.lines()
        .map(|line| line.split('#').next().unwrap_or_default())
        .filter(|line| !line.trim().is_empty())
        .map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let &[variant, depth, count] = &words[..] else { panic!("not `variant depth count`: {line}") };
            let variant = if variant == "-" { "" } else { variant };
            (variant, depth.parse().expect("a depth"), count.parse().expect("a count"))
        })
}

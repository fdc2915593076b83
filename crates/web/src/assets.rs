//! The page's files, inside the binary. A path is looked up in this table and nowhere else.

use axum::http::header;
use axum::response::{IntoResponse, Response};

const FILES: &[(&str, &str, &str)] = &[
    ("/", "text/html; charset=utf-8", include_str!("../assets/index.html")),
    ("/style.css", "text/css; charset=utf-8", include_str!("../assets/style.css")),
    ("/main.js", "text/javascript; charset=utf-8", include_str!("../assets/main.js")),
    ("/api.js", "text/javascript; charset=utf-8", include_str!("../assets/api.js")),
    ("/board.js", "text/javascript; charset=utf-8", include_str!("../assets/board.js")),
    ("/analysis.js", "text/javascript; charset=utf-8", include_str!("../assets/analysis.js")),
    ("/clock.js", "text/javascript; charset=utf-8", include_str!("../assets/clock.js")),
    ("/theme.js", "text/javascript; charset=utf-8", include_str!("../assets/theme.js")),
    ("/proven.js", "text/javascript; charset=utf-8", include_str!("../assets/proven.js")),
    ("/proof.js", "text/javascript; charset=utf-8", include_str!("../assets/proof.js")),
    ("/form.js", "text/javascript; charset=utf-8", include_str!("../assets/form.js")),
    ("/graph.js", "text/javascript; charset=utf-8", include_str!("../assets/graph.js")),
    ("/keys.js", "text/javascript; charset=utf-8", include_str!("../assets/keys.js")),
    ("/records.js", "text/javascript; charset=utf-8", include_str!("../assets/records.js")),
    ("/size.js", "text/javascript; charset=utf-8", include_str!("../assets/size.js")),
    ("/state.js", "text/javascript; charset=utf-8", include_str!("../assets/state.js")),
    ("/figures.js", "text/javascript; charset=utf-8", include_str!("../assets/figures.js")),
    ("/trouble.js", "text/javascript; charset=utf-8", include_str!("../assets/trouble.js")),
    ("/jobs", "text/html; charset=utf-8", include_str!("../assets/jobs.html")),
    ("/jobs.js", "text/javascript; charset=utf-8", include_str!("../assets/jobs.js")),
    ("/lab", "text/html; charset=utf-8", include_str!("../assets/lab.html")),
    ("/lab.js", "text/javascript; charset=utf-8", include_str!("../assets/lab.js")),
    ("/report.js", "text/javascript; charset=utf-8", include_str!("../assets/report.js")),
    ("/databases", "text/html; charset=utf-8", include_str!("../assets/databases.html")),
    ("/databases.js", "text/javascript; charset=utf-8", include_str!("../assets/databases.js")),
    ("/icon.svg", "image/svg+xml", include_str!("../assets/icon.svg")),
    ("/api/openapi.json", "application/json", crate::OPENAPI),
];

/// The file at `path`, if there is one.
pub fn find(path: &str) -> Option<Response> {
    let (_, kind, text) = FILES.iter().find(|(name, ..)| *name == path)?;
    Some(([(header::CONTENT_TYPE, *kind), (header::CACHE_CONTROL, "no-cache")], *text).into_response())
}

/// The text of a file that is there.
#[cfg(test)]
fn find_text(path: &str) -> &'static str {
    FILES.iter().find(|(name, ..)| *name == path).map_or("", |(_, _, text)| text)
}

/// The bytes of all pages together: more than a browser loads to show the first one.
#[cfg(test)]
pub fn weight() -> usize {
    FILES.iter().filter(|(name, ..)| !name.starts_with("/api/")).map(|(_, _, text)| text.len()).sum()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_first_page_is_light_and_asks_for_nothing_from_elsewhere() {
        assert!(super::weight() < 300_000, "{}", super::weight());
        for (name, _, text) in super::FILES {
            let outside = text.replace("http://www.w3.org/", "").matches("http").count();
            assert!(name.starts_with("/api/") || outside == 0, "{name}");
        }
    }

    /// Red, green and blue of `#rgb` or `#rrggbb`.
    fn colour(text: &str) -> [f64; 3] {
        let digits = text.trim().strip_prefix('#').unwrap_or_else(|| panic!("{text} is no colour"));
        let wide = digits.len() / 3;
        [0, 1, 2].map(|i| {
            let part = &digits[i * wide..(i + 1) * wide];
            let level = u8::from_str_radix(&part.repeat(2 / wide), 16).unwrap_or_else(|_| panic!("{text}"));
            f64::from(level) / 255.0
        })
    }

    /// The relative luminance (WCAG 2.2).
    fn luminance(text: &str) -> f64 {
        let linear = |v: f64| if v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) };
        let [red, green, blue] = colour(text).map(linear);
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    /// The value of a name of the style sheet, light and dark.
    fn named(name: &str) -> [&'static str; 2] {
        let style = super::find_text("/style.css");
        let value = style.split(&format!("--{name}: ")).nth(1).and_then(|rest| rest.split(';').next());
        let value = value.unwrap_or_else(|| panic!("--{name} is not there"));
        match value.strip_prefix("light-dark(").and_then(|pair| pair.strip_suffix(')')?.split_once(", ")) {
            Some((light, dark)) => [light, dark],
            None => [value, value],
        }
    }

    /// Text has a contrast of 4.5 to 1 with what is behind it, and what is drawn one of 3 to 1, light and dark.
    #[test]
    fn colours_can_be_told_apart() {
        let texts = ["ink", "faint", "accent", "win", "draw", "loss"];
        let on_page = texts.iter().flat_map(|text| ["card", "ground"].map(|behind| (*text, behind, 4.5)));
        // Judgements on the board: letters on a full disc, and in its colour on a light one.
        let on_discs = ["won", "drawn", "lost"].map(|disc| ("paper", disc, 4.5));
        let on_board = ["words", "accent", "win", "loss", "must", "mark", "edge", "block"];
        let drawn = on_board.iter().flat_map(|what| ["board", "shade"].map(|behind| (*what, behind, 3.0)));
        let others = [
            ("line", "card", 3.0),
            ("line", "ground", 3.0),
            ("words", "board", 4.5),
            ("words", "shade", 4.5),
        ];
        for (front, behind, least) in on_page.chain(on_discs).chain(drawn).chain(others) {
            for (one, other) in named(front).into_iter().zip(named(behind)) {
                let (a, b) = (luminance(one), luminance(other));
                let contrast = (a.max(b) + 0.05) / (a.min(b) + 0.05);
                assert!(contrast >= least, "{front} {one} on {behind} {other}: {contrast:.2} of {least}");
            }
        }
        // A full disc, or its rim, is told from any board.
        for disc in ["won", "drawn", "lost"] {
            for (behind, side) in ["board", "shade"].into_iter().flat_map(|b| [(b, 0), (b, 1)]) {
                let told = [disc, "paper"].map(|front| {
                    let (a, b) = (luminance(named(front)[side]), luminance(named(behind)[side]));
                    (a.max(b) + 0.05) / (a.min(b) + 0.05)
                });
                assert!(told.iter().any(|contrast| *contrast >= 3.0), "{disc} on {behind}: {told:?}");
            }
        }
    }
}

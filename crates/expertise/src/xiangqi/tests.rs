use super::*;
use endspiel_game::{Game, Position, Rng};
use endspiel_retro::{Indexed, Job, Known, Metric, Scheme, Work, backward, closure, iterate};
use endspiel_rules::xiangqi::{Kind, Xiangqi};
use std::sync::Arc;

fn solve(endings: &Endings, slices: &[Material]) -> Known<Material> {
    let (mut known, work) = (Known::default(), Work::default());
    for slice in closure(endings, slices) {
        let job = Job { slice, metric: Metric::End, known: &known, work: &work };
        let table = endings.solve(&job).unwrap();
        known.insert(slice, Arc::new(table));
    }
    known
}

#[test]
fn names_are_read_and_written() {
    let names =
        |text: &str| Material::read(text).map(|list| list.iter().map(Material::name).collect::<Vec<_>>());
    assert_eq!(names("kgmknp KHvKAE, KCCMMKMM").unwrap(), ["KNPKGM", "KNKGM", "KCCMMKMM"]);
    assert_eq!(names("3").unwrap(), ["KPK", "KCK", "KNK", "KRK"]);
    for (wrong, at) in
        [("KRK KXK", 5), ("KRKR", 0), ("KK", 0), ("KRCNK", 0), ("RK", 0), ("KRGGMKMM", 0), ("2-4", 0)]
    {
        assert_eq!(names(wrong).unwrap_err().at, at, "{wrong}");
    }
}

/// All published endings have slices of the published size, and convert into one another.
#[test]
fn sizes_are_those_published() {
    let endings = Endings::new();
    let rows: Vec<_> =
        published().map(|(name, row)| (endings.read_slices(name).unwrap()[0], name, row)).collect();
    assert_eq!(rows.len(), 151);
    assert_eq!(rows.iter().map(|(.., row)| row.size).sum::<u64>(), 1_485_629_619);
    let misprints = rows.iter().filter_map(|(_, name, _)| Some((*name, misprint(name)?)));
    assert!(misprints.eq([("KNK", "222750 190458 55056 0 432 20"), ("KCCKM", "34")]));
    for &(material, name, row) in &rows {
        assert_eq!((material.name().as_str(), endings.size(material)), (name, 2 * row.size));
        let listed = |to: &Material| rows.iter().any(|(other, ..)| other == to);
        assert!(endings.conversions(material).iter().all(listed), "{name}");
    }
}

/// Every number that is a position is that position's, and that of its images.
#[test]
fn numbers_are_found_again() {
    let endings = Endings::new();
    let mut rng = Rng::new(7);
    for material in (3..=8).flat_map(Material::all) {
        for _ in 0..40 {
            let index = rng.below(endings.size(material) as usize) as u64;
            let Some(board) = endings.position(material, index) else { continue };
            for image in [board.mirrored(), board.swapped(), board.swapped().mirrored()] {
                assert_eq!(endings.place(&image), Some((material, index)), "{}", material.name());
            }
            board.moves(|m| {
                let next = board.after(m);
                let Some((to, there)) = endings.place(&next) else {
                    assert!(next.turn().is_over(), "{}", material.name());
                    return;
                };
                assert!(to == material || endings.conversions(material).contains(&to), "{}", material.name());
                assert!(endings.position(to, there).is_some(), "{}", material.name());
            });
        }
    }
}

/// How often Red could take the king at once, by an independent program; and, of KNPKGM with the pawn on the last rank, by
/// the paper.
#[test]
fn checks_are_counted_as_published() {
    let endings = Endings::new();
    for (name, checks) in [
        ("KRK", 567),
        ("KNK", 162),
        ("KPK", 99),
        ("KRKG", 2157),
        ("KRKM", 3582),
        ("KNKG", 690),
        ("KNKM", 1083),
        ("KCK", 0),
        ("KNKGM", 4584),
        ("KRKGGM", 21486),
    ] {
        let slice = endings.read_slices(name).unwrap()[0];
        assert_eq!(endings.census(slice, |_| true).checks, checks, "{name}");
    }
    let slice = endings.read_slices("KNPKGM").unwrap()[0];
    let on_nine = |pieces: &[Piece]| pieces.iter().any(|&(point, kind, _)| kind == Kind::Pawn && point >= 81);
    let census = endings.census(slice, on_nine);
    assert_eq!((census.placements, census.facing, census.checks), (839_205, 219_090, 81_504));
    // What is legal is all that the paper's table holds.
    let [red, black] = published_pawn_nine().map(|row| row.iter().map(|(_, many)| many).sum::<u64>());
    assert_eq!([red, black], [839_205 - 219_090 - 81_504, 839_205 - 219_090]);
}

/// The rows of the smallest endings, column by column.
#[test]
fn small_endings_are_as_published() {
    let endings = Endings::new();
    let rows: Vec<_> = published().filter(|(_, row)| row.size <= 528_550).collect();
    assert_eq!(rows.len(), 60);
    let slices: Vec<_> = rows.iter().map(|(name, _)| endings.read_slices(name).unwrap()[0]).collect();
    let known = solve(&endings, &slices);
    for (&slice, (name, row)) in slices.iter().zip(&rows) {
        let found = endings.row(slice, known.table(&slice).unwrap());
        assert_eq!(found.to_string(), row.to_string(), "{name}");
    }
    // Red, who alone has attackers, never loses.
    for &slice in &slices {
        let (table, half) = (known.table(&slice).unwrap(), endings.size(slice) / 2);
        for (index, value) in (0..).zip(table.values()).filter_map(|(index, value)| Some((index, value?))) {
            assert!(if index < half { value >= 0 } else { value <= 0 }, "{} {index}", slice.name());
        }
    }
    // Value iteration, which knows no predecessors, gives the same, in every metric that can be told backward.
    let work = Work::default();
    let few: Vec<_> = ["KRK", "KNKM", "KPGK"].map(|name| endings.read_slices(name).unwrap()[0]).into();
    for metric in [Metric::End, Metric::Value, Metric::Conversion] {
        let mut tables = Known::default();
        for slice in closure(&endings, &few) {
            let job = Job { slice, metric, known: &tables, work: &work };
            let table = backward(&endings, &job).unwrap();
            assert!(
                iterate(&endings, &job, Scheme::InPlace).unwrap().0 == table,
                "{} {metric:?}",
                slice.name()
            );
            assert!(metric != Metric::End || known.table(&slice).is_none_or(|known| **known == table));
            tables.insert(slice, Arc::new(table));
        }
    }
    // A knight mates a bare king, and a cannon cannot.
    let value = |fen: &str| {
        let (slice, index) = endings.place(&Xiangqi.read(fen).unwrap()).unwrap();
        known.get(&slice, index)
    };
    assert!(value("3k5/9/9/9/9/9/9/N8/9/4K4 w") > Some(0));
    assert_eq!(value("3k5/9/9/9/9/9/9/C8/9/4K4 w"), Some(0));
    assert_eq!(value("4k4/9/n8/9/9/9/9/9/9/3K5 b"), value("3k5/9/9/9/9/9/9/N8/9/4K4 w"));
}

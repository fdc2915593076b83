//! Small files of checkers: they tell what the full ones do, of every position, and are a fraction of their size.

use endspiel_expertise::checkers::Endings;
use endspiel_game::{Oracle, Position};
use endspiel_retro::{
    Error, Indexed, Leaves, Metric, Omits, Probe, Store, Work, build, check_small, closure, pack, plan,
};
use std::collections::HashSet;

#[test]
fn small_files_tell_what_the_full_ones_do() {
    let dir = std::env::temp_dir().join(format!("endspiel-small-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    let (full, small) =
        (Store::new(&dir.join("full"), "checkers"), Store::new(&dir.join("small"), "checkers"));
    let (game, work) = (Endings::new(), Work::default());
    let slices = game.read_slices("2-3, 2K-2K, 1K1C-1K1C").unwrap();
    let nothing = pack(&game, &full, &slices, &work, &mut |_, _| ());
    assert!(matches!(nothing, Err(Error::Missing { .. })), "{nothing:?}");
    build(&game, &full, &plan(&game, &full, &slices, Metric::Value).unwrap(), &work, &mut |_, _| ()).unwrap();
    let (mut bytes, mut ways) = ([0; 2], HashSet::new());
    pack(&game, &full, &slices, &work, &mut |header, digest| {
        ways.insert(header.omits.map(|omits| format!("{omits:?}")));
        bytes[1] += digest.bytes;
    })
    .unwrap();
    assert!(ways.contains(&Some(format!("{:?}", Omits::Forced))) && ways.len() > 1, "{ways:?}");
    pack(&game, &full, &slices, &work, &mut |_, _| panic!("they are there")).unwrap();
    // The small ones alone.
    std::fs::create_dir_all(small.dir()).unwrap();
    for slice in closure(&game, &slices) {
        let name = game.slice_name(slice);
        bytes[0] += full.open(&name, Metric::Value, 0).unwrap().digest().bytes;
        std::fs::rename(full.small_path(&name), small.small_path(&name)).unwrap();
    }
    assert!(2 * bytes[1] < bytes[0], "{bytes:?}");
    let probes =
        [&full, &small].map(|store| Probe::open(&game, store, &slices, Metric::Value, 1 << 24).unwrap());
    let leaves = Leaves::open(Endings::new(), &small, &[Metric::Value], 1 << 24).unwrap();
    let (mut derived, mut told) = (0, 0);
    for slice in closure(&game, &slices) {
        let omits = small.open_small(&game.slice_name(slice), 0).unwrap().header().omits;
        for index in 0..game.size(slice) {
            let Some(position) = game.position(slice, index) else { continue };
            for position in [position, position.swapped()] {
                let [value, same] = [0, 1].map(|i| probes[i].value(&position).unwrap());
                assert_eq!(value, same, "{} {index}", game.slice_name(slice));
                if !position.turn().is_over() {
                    let bounds = value.map(|value| (value, value));
                    assert_eq!(leaves.bounds(&position), bounds, "{} {index}", game.slice_name(slice));
                }
                let is_left_out = omits.is_some_and(|omits| game.leaves_out(omits, &position));
                derived += usize::from(is_left_out);
                told += 1;
            }
        }
        assert!(check_small(&game, &small, slice, 1, &work).unwrap() > 0 || game.size(slice) < 100);
    }
    assert!(3 * derived > told, "{derived} of {told}");
    // A source stands for all files that it rests on.
    let name = "checkers/2K-2K.small";
    let place =
        |leaves: &Leaves<Endings>| leaves.sources().iter().position(|source| source.name == name).unwrap();
    assert_eq!(leaves.check_source(place(&leaves)), Ok(()));
    let (below, kept) = (small.small_path("2K-1K"), std::fs::read(small.small_path("2K-1K")).unwrap());
    std::fs::write(&below, &kept[..kept.len() / 2]).unwrap();
    assert!(leaves.check_source(place(&leaves)).is_err());
    std::fs::remove_file(&below).unwrap();
    let less = Leaves::open(Endings::new(), &small, &[Metric::Value], 0).unwrap();
    let checksum = |leaves: &Leaves<Endings>| leaves.sources()[place(leaves)].checksum;
    assert_ne!(checksum(&less), checksum(&leaves));
    std::fs::write(&below, kept).unwrap();
    // By the name of a full file it is refused.
    let disguised = full.path("2K-2K", Metric::Value);
    std::fs::copy(small.small_path("2K-2K"), &disguised).unwrap();
    assert!(matches!(full.open("2K-2K", Metric::Value, 0), Err(Error::Damaged { .. })));
    assert!(full.list().is_err());
    // A flipped bit is seen.
    let path = small.small_path("2K-2K");
    let mut altered = std::fs::read(&path).unwrap();
    let middle = altered.len() / 2;
    altered[middle] ^= 4;
    std::fs::write(&path, altered).unwrap();
    let slice = game.read_slices("2K-2K").unwrap()[0];
    assert!(check_small(&game, &small, slice, 1, &work).is_err());
    std::fs::remove_dir_all(dir).unwrap();
}

//! Damaged files: whatever the bytes, reading ends in an error that says where, and never in a panic.

use crate::blocks::{compress, decompress};
use crate::testing::{Maze, certify, check_bytes, prove};
use crate::{Answered, FileError, Header, Rejected};
use endspiel_game::garbage::{rounds, text};
use endspiel_game::{Game, Rng};
use endspiel_rules::connect_four::ConnectFour;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

fn damage(bytes: &mut Vec<u8>, rng: &mut Rng) {
    for _ in 0..=rng.below(3) {
        let at = rng.below(bytes.len());
        match rng.below(6) {
            0 if !bytes.is_empty() => drop(bytes.remove(at)),
            1 => bytes.insert(at, rng.bits() as u8),
            2 => bytes.truncate(at.max(1)),
            3 if !bytes.is_empty() => bytes[at] = rng.bits() as u8,
            _ if !bytes.is_empty() => bytes[at] ^= 1 << rng.below(8),
            _ => {}
        }
    }
}

/// A certificate cut into its header and its blocks, decompressed.
fn cut(bytes: &[u8]) -> (Vec<u8>, Vec<Vec<u8>>) {
    let end = bytes.windows(2).position(|w| w == b"\n\n").expect("a header") + 2;
    let (mut at, mut blocks) = (end, Vec::new());
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes")) as usize;
    while number(at) > 0 {
        let stored = &bytes[at + 16..][..number(at)];
        blocks.push(decompress(stored, number(at + 4)).expect("a block"));
        at += 16 + stored.len();
    }
    (bytes[..end].to_vec(), blocks)
}

/// Puts it together again, with checksums that fit.
fn join(header: &[u8], blocks: &[Vec<u8>]) -> Vec<u8> {
    let mut out = header.to_vec();
    for raw in blocks {
        let stored = compress(raw).expect("memory suffices");
        out.extend((stored.len() as u32).to_le_bytes());
        out.extend((raw.len() as u32).to_le_bytes());
        out.extend(xxh3_64(&stored).to_le_bytes());
        out.extend(stored);
    }
    out.extend([0; 8]);
    let mut sum = Xxh3::new();
    sum.update(&out);
    out.extend(sum.digest().to_le_bytes());
    out
}

fn certificates() -> [(Maze, Vec<u8>); 2] {
    [3, 8].map(|seed| {
        let game = Maze::new(seed);
        let (statement, strategies) = prove(&game.start(), true);
        let bytes = certify(&game, &game.start(), statement, &strategies);
        (game, bytes)
    })
}

#[test]
fn garbled_answers_to_questions_are_refused_or_read_back() {
    let whole = Answered {
        game: "tic-tac-toe".into(),
        root: ".../.../... x".into(),
        question: "wins(x, 9)".into(),
        holds: false,
        choices: (0..40).collect(),
    };
    let real = [whole.render()];
    let (mut rng, mut read) = (Rng::new(6), 0);
    for _ in 0..rounds(20_000) {
        let text = text(&real, &mut rng);
        if let Ok(answered) = Answered::parse(&text) {
            assert_eq!(answered.render(), text);
            read += 1;
        }
    }
    assert!(read < rounds(20_000), "damage is noticed");
}

#[test]
fn garbled_headers_are_refused_or_read_back() {
    let [(_, bytes), _] = certificates();
    let (header, _) = cut(&bytes);
    let real = [String::from_utf8(header).expect("a header is text")];
    let mut rng = Rng::new(4);
    for _ in 0..rounds(20_000) {
        let bad = text(&real, &mut rng);
        if let Ok(header) = Header::parse(bad.as_bytes()) {
            let again = Header::parse(header.render().as_bytes()).expect("its own text");
            assert_eq!(again.render(), header.render(), "{bad:?}");
        }
    }
}

#[test]
fn random_damage_is_refused() {
    let mut rng = Rng::new(1);
    for (game, bytes) in certificates() {
        for _ in 0..40_000 {
            let mut bad = bytes.clone();
            damage(&mut bad, &mut rng);
            if bad != bytes {
                assert!(check_bytes(&game, &bad, 1).is_err());
            }
        }
    }
}

#[test]
fn damage_under_fitting_checksums_is_refused() {
    let mut rng = Rng::new(2);
    let mut reached_digest = 0;
    for (game, bytes) in certificates() {
        let (header, blocks) = cut(&bytes);
        assert_eq!(join(&header, &blocks), bytes);
        for _ in 0..10_000 {
            let (mut header, mut blocks) = (header.clone(), blocks.clone());
            if blocks.is_empty() || rng.below(4) == 0 {
                damage(&mut header, &mut rng);
            } else {
                let at = rng.below(blocks.len());
                damage(&mut blocks[at], &mut rng);
            }
            let bad = join(&header, &blocks);
            if bad != bytes {
                let error = check_bytes(&game, &bad, 1).expect_err("damaged");
                reached_digest += usize::from(matches!(error, Rejected::File(FileError::Digest { .. })));
            }
        }
    }
    assert!(reached_digest > 100, "{reached_digest} are whole but for the digest");
}

#[test]
fn errors_say_where() {
    let game = ConnectFour::from_variant("4x4").expect("a variant");
    let (statement, strategies) = prove(&game.start(), true);
    let bytes = certify(&game, &game.start(), statement, &strategies);
    let end = bytes.windows(2).position(|w| w == b"\n\n").expect("a header") + 2;
    let error = |bytes: &[u8]| check_bytes(&game, bytes, 1).expect_err("damaged").to_string();
    assert_eq!(error(b""), "not a certificate: the first line must begin with 'Endspiel certificate'");
    assert_eq!(error(b"GIF89a"), error(b""));
    assert_eq!(error(&bytes[..end - 20]), format!("the file is cut off at byte {}", end - 20));
    assert_eq!(error(&bytes[..end + 40]), format!("the file is cut off at byte {}", end + 40));
    assert_eq!(error(&bytes[..bytes.len() - 1]), format!("the file is cut off at byte {}", bytes.len() - 1));
    let longer = [&bytes[..], b"x"].concat();
    assert_eq!(error(&longer), format!("the certificate ends at byte {}, but the file goes on", bytes.len()));
    let mut flipped = bytes.clone();
    flipped[end + 30] ^= 1;
    assert_eq!(error(&flipped), format!("block at byte {end}: its checksum does not fit its contents"));
    let mut flipped = bytes.clone();
    *flipped.last_mut().expect("a byte") ^= 1;
    let at = bytes.len() - 8;
    assert_eq!(error(&flipped), format!("the checksum of the file, at byte {at}, does not fit its contents"));
    let text = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let with = |old: &str, new: &str| [text.replacen(old, new, 1).as_bytes(), &bytes[end..]].concat();
    // Announced sizes take no memory: the records of this would take 4 terabytes.
    let first = format!("records={}", strategies[0].records());
    assert!(error(&with(&first, "records=1000000000000")).contains("may unpack to"));
    assert!(error(&with(&first, &format!("{first}0"))).contains("block at byte"));
    assert!(error(&with("certificate 2", "certificate 9")).contains("version 9"));
    let endless = [&b"Endspiel certificate 2: "[..], &vec![b'a'; 100_000]].concat();
    assert!(error(&endless).contains("at most 65536 bytes"));
}

#[test]
fn a_block_that_unpacks_to_more_than_announced_is_refused() {
    let stored = compress(&vec![0; 1 << 20]).expect("memory suffices");
    assert!(stored.len() < 200);
    assert!(decompress(&stored, 1 << 20).is_ok());
    assert!(decompress(&stored, 1000).is_err());
    assert!(decompress(&stored, (1 << 20) + 1).is_err());
    assert!(decompress(&stored, 1 << 40).is_err());
}

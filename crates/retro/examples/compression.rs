//! What pays in compression: takes the cells of finished files and compresses them again with other blocks, levels and a dictionary,
//! and tells what coding runs would give. `cargo run --release -p endspiel-retro --example compression -- FILE.esdb...`
//!
//! The dictionary is the beginning of the file, raw, as large as a block of 16 Ki cells. *Runs* are what J. Schaeffer and others (2003)
//! coded for checkers: the lengths of runs of equal cells, their values foretold as that of the last run but one, and a sign
//! where that is wrong. Here it is the entropy of these signs, which no code of them goes below, without blocks.

use endspiel_retro::{Cells, Reader};
use std::collections::HashMap;
use std::error::Error;
use std::path::Path;
use std::time::Instant;

const KI: usize = 1 << 10;

fn main() -> Result<(), Box<dyn Error>> {
    let mut files = Vec::new();
    for path in std::env::args().skip(1) {
        let reader = Reader::open(Path::new(&path), 0)?;
        let bytes: Vec<u8> = match reader.table()?.cells {
            Cells::Narrow(cells) | Cells::Moves(cells) => cells.into_iter().map(|cell| cell as u8).collect(),
            Cells::Wide(cells) => cells.into_iter().flat_map(i16::to_le_bytes).collect(),
        };
        files.push((bytes, reader.header().width.into()));
    }
    if files.is_empty() {
        return Err("files of databases are wanted".into());
    }
    let whole: usize = files.iter().map(|(bytes, _)| bytes.len()).sum();
    println!("{} files, {whole} bytes of cells", files.len());
    println!(
        "{:>8}{:>7}{:>12}{:>14}{:>10}{:>12}",
        "cells", "level", "dictionary", "bytes", "to pack", "a block"
    );
    for (cells, level, with) in [
        (4 * KI, 13, false),
        (16 * KI, 3, false),
        (16 * KI, 6, false),
        (16 * KI, 9, false),
        (16 * KI, 13, false),
        (16 * KI, 13, true),
        (16 * KI, 19, false),
        (64 * KI, 13, false),
        (64 * KI, 19, false),
        (256 * KI, 19, false),
    ] {
        let (mut bytes, mut packing, mut unpacking, mut blocks) = (0, 0.0, 0.0, 0);
        for (file, width) in &files {
            let dictionary = &file[..if with { file.len().min(16 * KI * width) } else { 0 }];
            let mut packer = zstd::bulk::Compressor::with_dictionary(level, dictionary)?;
            let mut unpacker = zstd::bulk::Decompressor::with_dictionary(dictionary)?;
            for block in file.chunks(cells * width) {
                let begun = Instant::now();
                let packed = packer.compress(block)?;
                packing += begun.elapsed().as_secs_f64();
                let begun = Instant::now();
                let again = unpacker.decompress(&packed, block.len())?;
                unpacking += begun.elapsed().as_secs_f64();
                if again != block {
                    return Err("a block does not come back".into());
                }
                // Its line in the table of blocks.
                bytes += packed.len() + 12;
                blocks += 1;
            }
            bytes += dictionary.len();
        }
        let used = if with { "yes" } else { "" };
        let micros = unpacking / f64::from(blocks) * 1e6;
        println!("{cells:>8}{level:>7}{used:>12}{bytes:>14}{packing:>9.2}s{micros:>9.1} us");
    }
    let bits: f64 = files.iter().map(|(bytes, width)| runs(bytes, *width)).sum();
    println!("{:>8}{:>19}{:>14.0}", "runs", "entropy", bits / 8.0);
    Ok(())
}

/// The bits of all runs by their entropy.
fn runs(bytes: &[u8], width: usize) -> f64 {
    let mut counts: HashMap<u64, f64> = HashMap::new();
    let mut note = |sign: u64| *counts.entry(sign).or_default() += 1.0;
    let mut last: [Option<&[u8]>; 2] = [None; 2];
    let mut length = 0;
    for cell in bytes.chunks_exact(width) {
        if Some(cell) == last[1] {
            length += 1;
            continue;
        }
        if length > 0 {
            note(length);
        }
        // Which value it is instead is one more sign.
        if last[0] != Some(cell) {
            note(1 << 32 | cell.iter().fold(0, |sign, &byte| sign << 8 | u64::from(byte)));
        }
        (last, length) = ([last[1], Some(cell)], 1);
    }
    note(length);
    let all: f64 = counts.values().sum();
    counts.values().map(|count| count * (all / count).log2()).sum()
}

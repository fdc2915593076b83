//! Proofs of go-moku by threats: `endspiel solve gomoku --store FILE`, and `endspiel verify FILE` for such a store.

use super::{pointed, stop_on_interrupt};
use crate::args::Place;
use crate::screen::{Ink, complain, grouped};
use crate::spend::Spend;
use crate::{End, Failure};
use endspiel_game::{Budget, Game, Player, Position, TextError, TwoPlayer};
use endspiel_lab::proofs::{self, Claim, Earlier, StoreError};
use endspiel_rules::gomoku::Gomoku;
use serde_json::json;
use std::io::Write;
use std::path::Path;

/// Where a proof is kept, and where a certificate of it goes.
pub struct Files<'a> {
    /// The store.
    pub store: &'a Path,
    /// The certificate, if one is asked for.
    pub certificate: Option<&'a Path>,
}

/// Proves who wins a position, with what the store knows; 1 if that is not found out within the budget.
pub fn solve(
    place: &Place,
    spend: &Spend,
    files: &Files<'_>,
    with: &str,
    as_json: bool,
    out: &mut impl Write,
) -> Result<End, Failure> {
    let (name, variant) = place.game.split_once(':').unwrap_or((&place.game, ""));
    if name != "gomoku" {
        return Err(Failure::Input(format!("--store keeps proofs of gomoku, not of {name}")));
    }
    if place.dash.is_some()
        || [&place.from.position, &place.from.moves].iter().any(|t| t.as_deref() == Some("-"))
    {
        return Err(Failure::Input("--store is about one position, it reads no lines of them".into()));
    }
    let wrong = |error: TextError, text: &str| Failure::Input(pointed(&error.into(), text));
    let selection = proofs::selection(with).map_err(|e| wrong(e, with))?;
    let (position, moves) = (place.from.position.as_deref(), place.from.moves.as_deref());
    // The error points into the first of the texts that is wrong.
    let read = |position, moves| proofs::root(variant, position, moves);
    read(None, None).map_err(|e| wrong(e, variant))?;
    read(position, None).map_err(|e| wrong(e, position.unwrap_or_default()))?;
    let (variant, root) = read(position, moves).map_err(|e| wrong(e, moves.unwrap_or_default()))?;
    if let Some(certificate) = files.certificate {
        let file = |path: &Path| std::fs::canonicalize(path).ok();
        if certificate == files.store || file(certificate).is_some_and(|path| Some(path) == file(files.store))
        {
            let store = files.store.display();
            return Err(Failure::Input(format!(
                "--certificate would overwrite the store {store}; give another file"
            )));
        }
    }
    if root.turn().is_over() {
        return Err(Failure::Input(
            "the game is over here; --store keeps proofs of wins that are still to come".into(),
        ));
    }
    let budget = spend.budget(None);
    stop_on_interrupt(&budget.stop);
    let tell = |claim: &Claim, out: &mut dyn Write| {
        if as_json {
            return writeln!(out, "{}", report(claim, root.mover()));
        }
        let (nodes, moves) = (grouped(claim.nodes), grouped(claim.moves));
        write!(out, "{nodes} nodes, {moves} moves, {:.1} s", claim.seconds)?;
        if claim.replies > 0 {
            write!(out, ", {} of {} replies open", claim.open, claim.replies)?;
        }
        match claim.earlier {
            None => writeln!(out),
            Some(Earlier { proven, nodes, seconds }) => {
                let what = if proven { "kept from an earlier run" } else { "earlier runs" };
                writeln!(out, "; {what}: {} nodes, {seconds:.1} s", grouped(nodes))
            }
        }
    };
    if let Some(file) = files.certificate {
        proofs::try_certificate(file).map_err(|e| Failure::Input(e.to_string()))?;
    }
    // Progress is a courtesy: a closed standard error must not stop the work.
    let claim = proofs::solve(files.store, &variant, &root, selection, &budget, |claim| {
        let _ = tell(claim, &mut std::io::stderr());
        true
    });
    let claim = claim.map_err(|e| refused(&e))?;
    tell(&claim, out)?;
    if !as_json {
        let ink = Ink::for_output();
        match claim.winner {
            Some(winner) => {
                let by = claim.line.first().map_or_else(String::new, |m| format!(" with {m}"));
                let value = ink.value(Some("win"), &format!("{winner} wins{by}"));
                writeln!(out, "{value}, proven against every legal reply; lines end in wins by threats")?;
            }
            None => writeln!(out, "not found out within the budget")?,
        }
    }
    let Some(certificate) = files.certificate.filter(|_| claim.winner.is_some()) else {
        return Ok(if claim.winner.is_some() { End::Decided } else { End::Undecided });
    };
    match proofs::certify(files.store, &claim, &root, certificate, &budget) {
        Ok(records) if as_json => {
            writeln!(out, "{}", json!({"certificate": certificate, "records": records}))?;
        }
        Ok(records) => {
            let records = grouped(records);
            writeln!(out, "certificate  {}, {records} positions, by the rules alone", certificate.display())?;
        }
        Err(what) => {
            complain(&format!("the value is proven, but there is no certificate: {what}"));
            return Ok(End::Undecided);
        }
    }
    Ok(End::Decided)
}

/// A claim in the words of every answer of `solve`, with what a store knows besides.
fn report(claim: &Claim, mover: Player) -> serde_json::Value {
    let (name, player) = (Gomoku::ABOUT.name, Gomoku::ABOUT.players[mover.index()]);
    let game = if claim.variant.is_empty() { name.into() } else { format!("{name}:{}", claim.variant) };
    let value = claim.winner.map(|winner| if winner == player { "win" } else { "loss" });
    let mut line = json!({
        "game": game,
        "player": player,
        "status": if value.is_some() { "proven" } else { "unknown" },
        "value": value,
        "bounds": value.map_or([-1, 1], |value| if value == "win" { [1, 1] } else { [-1, -1] }),
        "line": [],
        "method": "threats",
    });
    if let (Some(line), serde_json::Value::Object(claim)) = (line.as_object_mut(), json!(claim)) {
        line.extend(claim);
    }
    line
}

/// Goes through all proofs of a store.
pub fn verify(file: &Path, as_json: bool, out: &mut impl Write) -> Result<End, Failure> {
    let budget = Budget::default();
    stop_on_interrupt(&budget.stop);
    let (ink, mut broken, mut count) = (Ink::for_output(), Ok(()), 0);
    let whole = proofs::verify(file, &budget, |verified| {
        let claim = &verified.claim;
        count += 1;
        let told = match &verified.hole {
            _ if as_json => writeln!(out, "{}", json!(verified)),
            None => {
                let winner = claim.winner.unwrap_or_default();
                writeln!(out, "{}  {}: {winner} wins", ink.value(Some("win"), "accepted"), claim.position)
            }
            Some(hole) => writeln!(out, "refused  {}: no win is kept or found at {hole}", claim.position),
        };
        if let Err(error) = told.and_then(|()| out.flush()) {
            budget.stop.now();
            broken = Err(error);
        }
    });
    let whole = whole.map_err(|e| refused(&e))?;
    broken?;
    if count == 0 && whole == Some(true) {
        complain(&format!("{} has no proof yet; `solve --store` goes on with it", file.display()));
        return Ok(End::Undecided);
    }
    if !as_json && whole == Some(true) {
        let proofs = if count == 1 { "1 proof".to_owned() } else { format!("{count} proofs") };
        writeln!(
            out,
            "{proofs} of {}: every legal reply was tried; lines end in wins that searches for threats found again, not by the rules alone",
            file.display()
        )?;
    }
    Ok(match whole {
        Some(true) => End::Decided,
        Some(false) => {
            complain(&format!("{} has a proof with a hole", file.display()));
            End::BadInput
        }
        None => End::Undecided,
    })
}

fn refused(error: &StoreError) -> Failure {
    Failure::Input(error.to_string())
}

//! Certificates that are open to be walked through: a few at a time, each checked when it is opened.

use crate::fault::Fault;
use crate::jobs::{Limits, random_name};
use crate::store::{Store, StoreError};
use axum::http::StatusCode;
use endspiel_catalog::AnyProof;
use endspiel_game::{Budget, Stop};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// So many stay open.
const OPEN: usize = 4;

/// The open proofs of a server, the newest last.
pub struct Proofs {
    store: Arc<Store>,
    budget: Budget,
    open: Mutex<VecDeque<(String, Arc<dyn AnyProof>)>>,
}

impl Proofs {
    pub fn new(limits: &Limits, store: Arc<Store>) -> Self {
        let budget = Budget {
            time: Some(limits.time.min(Duration::from_secs(25))),
            memory: limits.memory / OPEN,
            ..Budget::default()
        };
        Self { store, budget, open: Mutex::default() }
    }

    fn budget(&self, stop: &Stop) -> Budget {
        Budget { stop: stop.clone(), ..self.budget.clone() }
    }

    /// Takes a certificate in, if it is accepted, and gives its digest.
    pub fn take(&self, bytes: &[u8], stop: &Stop) -> Result<(String, Arc<dyn AnyProof>), Fault> {
        self.store.make_room(bytes.len() as u64).map_err(full)?;
        let draft = self.store.draft(&random_name()?);
        let accepted = std::fs::write(&draft, bytes).map_err(Fault::internal).and_then(|()| {
            let proof: Arc<dyn AnyProof> = endspiel_catalog::open_proof(&draft, &self.budget(stop))?.into();
            Ok((self.store.publish(&draft).map_err(Fault::internal)?, proof))
        });
        match accepted {
            Ok((digest, proof)) => {
                self.remember(&digest, proof.clone());
                Ok((digest, proof))
            }
            Err(fault) => {
                // The refusal is what matters; a draft that stays behind is only a file too many.
                let _ = std::fs::remove_file(&draft);
                Err(fault)
            }
        }
    }

    /// The proof of a certificate in the store.
    pub fn get(&self, digest: &str, stop: &Stop) -> Result<Arc<dyn AnyProof>, Fault> {
        let known = {
            let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
            open.iter().find(|(name, _)| name == digest).map(|(_, proof)| proof.clone())
        };
        if let Some(proof) = known {
            return Ok(proof);
        }
        let file = self.store.certificate(digest).ok_or_else(|| Fault::missing("certificate"))?;
        let proof: Arc<dyn AnyProof> = endspiel_catalog::open_proof(&file, &self.budget(stop))?.into();
        self.remember(digest, proof.clone());
        Ok(proof)
    }

    fn remember(&self, digest: &str, proof: Arc<dyn AnyProof>) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|(name, _)| name != digest);
        open.push_back((digest.into(), proof));
        if open.len() > OPEN {
            open.pop_front();
        }
    }
}

fn full(error: StoreError) -> Fault {
    match error {
        StoreError::Full(_) => Fault::new(StatusCode::INSUFFICIENT_STORAGE, error.to_string()),
        other => Fault::internal(other),
    }
}

//! Certificates that are open to be walked through: a few at a time, each checked when it is opened.

use crate::cache::Cache;
use crate::fault::Fault;
use crate::jobs::{Limits, random_name};
use crate::store::{Store, StoreError};
use axum::http::StatusCode;
use endspiel_catalog::AnyProof;
use endspiel_game::{Budget, Stop};
use std::sync::Arc;
use std::time::Duration;

/// What is missing, in a refusal.
pub const CERTIFICATE: &str = "certificate here; it may have made room for newer ones";
/// So many stay open.
const OPEN: usize = 4;

/// The open proofs of a server.
pub struct Proofs {
    store: Arc<Store>,
    budget: Budget,
    open: Cache<Arc<dyn AnyProof>>,
}

impl Proofs {
    pub fn new(limits: &Limits, store: Arc<Store>) -> Self {
        let budget = Budget {
            time: Some(limits.time.min(Duration::from_secs(25))),
            memory: limits.memory / OPEN,
            ..Budget::default()
        };
        Self { store, budget, open: Cache::new(OPEN) }
    }

    fn budget(&self, stop: &Stop) -> Budget {
        Budget { stop: stop.clone(), ..self.budget.clone() }
    }

    /// Takes a certificate in, if it is accepted, and gives its digest.
    pub fn take(&self, bytes: &[u8], stop: &Stop) -> Result<(String, Arc<dyn AnyProof>), Fault> {
        let certificates = &self.store.certificates;
        let draft = certificates.draft(&random_name()?);
        certificates.make_room(bytes.len() as u64, &draft).map_err(full)?;
        let accepted = std::fs::write(&draft, bytes).map_err(Fault::internal).and_then(|()| {
            let proof: Arc<dyn AnyProof> = endspiel_catalog::open_proof(&draft, &self.budget(stop))?.into();
            Ok((certificates.publish(&draft).map_err(full)?, proof))
        });
        match accepted {
            Ok((digest, proof)) => {
                self.open.put(digest.clone(), proof.clone());
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
        let file = self.store.certificates.find(digest);
        if let Some(proof) = self.open.get(digest) {
            return Ok(proof);
        }
        let file = file.ok_or_else(|| Fault::missing(CERTIFICATE))?;
        let proof: Arc<dyn AnyProof> = endspiel_catalog::open_proof(&file, &self.budget(stop))?.into();
        self.open.put(digest.into(), proof.clone());
        Ok(proof)
    }

    /// Deletes a certificate; was there one?
    pub fn remove(&self, digest: &str) -> Result<bool, Fault> {
        self.open.remove(digest);
        self.store.certificates.remove(digest).map_err(Fault::internal)
    }
}

fn full(error: StoreError) -> Fault {
    match error {
        StoreError::Full(_) => Fault::new(StatusCode::INSUFFICIENT_STORAGE, error.to_string()),
        other => Fault::internal(other),
    }
}

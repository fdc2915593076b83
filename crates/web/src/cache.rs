//! A small cache: the latest answers by their questions; the one that was not asked for longest goes first.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// At most so many answers.
pub struct Cache<V> {
    most: usize,
    /// The latest last.
    kept: Mutex<VecDeque<(String, V)>>,
}

impl<V: Clone> Cache<V> {
    pub fn new(most: usize) -> Self {
        Self { most, kept: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<(String, V)>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn get(&self, question: &str) -> Option<V> {
        let mut kept = self.lock();
        let at = kept.iter().position(|(known, _)| known == question)?;
        let entry = kept.remove(at)?;
        let answer = entry.1.clone();
        kept.push_back(entry);
        Some(answer)
    }

    pub fn put(&self, question: String, answer: V) {
        let mut kept = self.lock();
        kept.retain(|(known, _)| *known != question);
        kept.push_back((question, answer));
        if kept.len() > self.most {
            kept.pop_front();
        }
    }

    pub fn remove(&self, question: &str) {
        self.lock().retain(|(known, _)| known != question);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_asked_for_longest_goes_first() {
        let cache = Cache::new(2);
        cache.put("a".into(), 1);
        cache.put("b".into(), 2);
        assert_eq!(cache.get("a"), Some(1));
        cache.put("c".into(), 3);
        assert_eq!((cache.get("a"), cache.get("b"), cache.get("c")), (Some(1), None, Some(3)));
        cache.remove("a");
        assert_eq!(cache.get("a"), None);
    }
}

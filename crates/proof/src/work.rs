//! A pool of work for several threads that each mind a stack of their own: who runs out waits, and who has
//! more gives the older half of its stack away.

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

const BUSY: u8 = 0;
/// Some thread waits for work.
const HUNGRY: u8 = 1;
/// No more work is given out.
const CLOSED: u8 = 2;

struct Shared<T> {
    work: Vec<T>,
    idle: usize,
    threads: usize,
}

/// Work that is waiting for a thread.
pub(crate) struct Pool<T> {
    state: AtomicU8,
    shared: Mutex<Shared<T>>,
    change: Condvar,
}

/// Closes the pool when its thread ends, however it ends.
pub(crate) struct Membership<'a, T>(&'a Pool<T>);

impl<T> Drop for Membership<'_, T> {
    fn drop(&mut self) {
        let _held = self.0.lock();
        self.0.state.store(CLOSED, Ordering::Relaxed);
        self.0.change.notify_all();
    }
}

impl<T> Pool<T> {
    /// Work for so many threads.
    pub fn new(threads: usize, work: Vec<T>) -> Self {
        let shared = Mutex::new(Shared { work, idle: 0, threads });
        Self { state: AtomicU8::new(BUSY), shared, change: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, Shared<T>> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Each of the threads joins once, and keeps this while it works.
    pub fn join(&self) -> Membership<'_, T> {
        Membership(self)
    }

    /// One of the threads could not be started: the others do without.
    pub fn miss_one(&self) {
        self.lock().threads -= 1;
        self.change.notify_all();
    }

    /// The next piece of work: from the thread's own stack, or else from the pool. None when all is done or
    /// a thread has left.
    #[inline]
    pub fn next(&self, own: &mut Vec<T>) -> Option<T> {
        match self.state.load(Ordering::Relaxed) {
            CLOSED => return None,
            HUNGRY if own.len() > 1 => {
                let mut shared = self.lock();
                shared.work.extend(own.drain(..own.len() / 2));
                if self.state.load(Ordering::Relaxed) == HUNGRY {
                    self.state.store(BUSY, Ordering::Relaxed);
                }
                self.change.notify_all();
            }
            _ => {}
        }
        own.pop().or_else(|| self.wait(own))
    }

    #[cold]
    fn wait(&self, own: &mut Vec<T>) -> Option<T> {
        let mut shared = self.lock();
        shared.idle += 1;
        loop {
            if self.state.load(Ordering::Relaxed) == CLOSED {
                return None;
            }
            if !shared.work.is_empty() {
                shared.idle -= 1;
                let keep = if shared.threads == 1 { 0 } else { shared.work.len() / 2 };
                own.extend(shared.work.drain(keep..));
                return own.pop();
            }
            if shared.idle == shared.threads {
                self.state.store(CLOSED, Ordering::Relaxed);
                self.change.notify_all();
                return None;
            }
            self.state.store(HUNGRY, Ordering::Relaxed);
            shared = self.change.wait(shared).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;

    #[test]
    fn every_piece_of_work_is_done_once() {
        for threads in 1..=4 {
            let pool = Pool::new(threads, vec![14u32, 15]);
            let done = AtomicU64::new(0);
            std::thread::scope(|scope| {
                for _ in 0..threads {
                    scope.spawn(|| {
                        let _member = pool.join();
                        let mut own = Vec::new();
                        while let Some(n) = pool.next(&mut own) {
                            done.fetch_add(1, Ordering::Relaxed);
                            own.extend((0..2).filter(|_| n > 0).map(|_| n - 1));
                        }
                    });
                }
            });
            // Full binary trees of heights 14 and 15.
            assert_eq!(done.into_inner(), (1 << 15) - 1 + (1 << 16) - 1);
        }
    }
}

//! A connection that gives up on clients who do not read. What is to be written must be taken within a time: a buffer
//! that is still not taken then fails, and the connection with it.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// A stream that waits for so long.
pub struct Impatient<S> {
    stream: S,
    patience: Duration,
    /// Runs while something waits to be written.
    waiting: Option<Pin<Box<Sleep>>>,
}

impl<S> Impatient<S> {
    pub fn new(stream: S, patience: Duration) -> Self {
        Self { stream, patience, waiting: None }
    }

    /// Passes on how writing `length` bytes went, unless it takes too long. Less than all of them is no reason to wait
    /// anew, or a client could take a byte now and then for ever.
    fn mind(
        &mut self,
        written: Poll<io::Result<usize>>,
        length: usize,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<usize>> {
        if let Poll::Ready(Ok(taken)) = written
            && taken == length
        {
            self.waiting = None;
        }
        if written.is_pending() {
            let waiting = self.waiting.get_or_insert_with(|| Box::pin(sleep(self.patience)));
            ready!(waiting.as_mut().poll(context));
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        written
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Impatient<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Impatient<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.mind(written, bytes.len(), context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.mind(written, parts.iter().map(|part| part.len()).sum(), context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::poll_fn;

    /// A client that takes so many bytes more.
    struct Client(usize);

    impl AsyncWrite for Client {
        fn poll_write(
            mut self: Pin<&mut Self>,
            _: &mut Context<'_>,
            bytes: &[u8],
        ) -> Poll<io::Result<usize>> {
            let taken = bytes.len().min(self.0);
            self.0 -= taken;
            if taken == 0 { Poll::Pending } else { Poll::Ready(Ok(taken)) }
        }

        fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Ok(()))
        }

        fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Ok(()))
        }
    }

    async fn write(stream: &mut Impatient<Client>) -> io::Result<usize> {
        poll_fn(|context| Pin::new(&mut *stream).poll_write(context, &[0; 64])).await
    }

    #[test]
    fn who_does_not_read_is_left() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
        runtime.block_on(async {
            let patience = Duration::from_millis(50);
            let mut stream = Impatient::new(Client(64), patience);
            assert!(write(&mut stream).await.is_ok_and(|taken| taken == 64));
            assert!(
                tokio::time::timeout(patience / 10, write(&mut stream)).await.is_err(),
                "it waits a while"
            );
            // A byte now and then does not do: the time that runs is the same.
            stream.stream.0 = 1;
            assert!(write(&mut stream).await.is_ok_and(|taken| taken == 1) && stream.waiting.is_some());
            let left = write(&mut stream).await.expect_err("nobody reads");
            assert_eq!(left.kind(), io::ErrorKind::TimedOut);
            // Who takes all has as much time again.
            stream.stream.0 = 64;
            assert!(write(&mut stream).await.is_ok_and(|taken| taken == 64) && stream.waiting.is_none());
        });
    }
}

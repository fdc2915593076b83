//! Certificates of proven answers, and the checker that needs the rules alone.

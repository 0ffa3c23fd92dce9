extension Duration {
    /// The time-out for poll(2) in milliseconds: rounded up, so that a deadline has passed when the wait for it ends; zero
    /// for a duration that is negative, at most 2,147,483,647 ms (24 days).
    package var pollTimeout: Int32 {
        let left = max(.zero, self).saturatedNanoseconds
        return Int32(clamping: left / 1_000_000 + (left % 1_000_000 == 0 ? 0 : 1))
    }
}

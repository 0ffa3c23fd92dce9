extension SinkDelivery {
    /// Keeps the sink's own task running in parallel with the deliveries. Restarts it with a growing wait when it
    /// throws, until cancelled.
    nonisolated func keepSinkUp() async {
        let backoff = Backoff(maximum: .seconds(60))
        var tried = 0
        while !Task.isCancelled {
            do {
                try await sink.run()
                return
            } catch {
                tried += 1
                do { try await pause(backoff.wait(tried: tried)) } catch { return }
            }
        }
    }
}

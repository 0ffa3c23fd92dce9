extension SourceLane {
    /// Runs the source until it is finished or the task is cancelled, and starts it again with a growing wait when it
    /// throws.
    func supervise() async {
        let backoff = Backoff(maximum: .seconds(60))
        var tried = 0
        while !Task.isCancelled {
            let before = log.current.fixes
            do {
                try await runSource()
                guard !Task.isCancelled else { return }
                await decideAll()
                log.set(.finished)
                return
            } catch {
                if Task.isCancelled { return }
                tried = log.current.fixes > before ? 1 : tried + 1
                let wait = backoff.wait(tried: tried)
                log.set(.unavailable("\(error); trying again in \(wait.inWords)"))
                do { try await pause(wait) } catch { return }
            }
        }
    }
}

import TrackEngine

func watch(_ tracker: Tracker) async {
    await withTaskGroup { group in
        group.addTask {
            for await record in tracker.records() { print(record.description(revealingPosition: true)) }
        }
        group.addTask {
            for await decision in tracker.decisions() {
                if case .rejected(_, let source, let reason) = decision { print(source, reason.name) }
            }
        }
        await group.waitForAll()
    }
}

func printStatus(of tracker: Tracker, every interval: Duration) async throws {
    while true {
        let status = await tracker.status()
        print(status)
        for source in status.sources {
            if case .unavailable(let reason) = source.status { print("\(source.id) does not deliver: \(reason)") }
        }
        for sink in status.sinks where sink.sync.activity == .paused {
            print("\(sink.id) needs a person: \(sink.sync.failure ?? "no reason given")")
        }
        try await Task.sleep(for: interval)
    }
}

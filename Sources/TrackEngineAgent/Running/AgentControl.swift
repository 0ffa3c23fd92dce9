import TrackEngine
import TrackEngineSettings

/// The agent's responses on its control socket.
struct AgentControl: Sendable {
    let agent: AgentRuntime

    /// Returns the response to a request, after any number of parts.
    func answer(_ request: ControlRequest, _ part: ControlServer.Parts) async throws -> JSONValue {
        switch request {
        case .status(let view): return await status(view)
        case .pause(let length): return try await agent.pauses.pause(for: length).json
        case .resume: return .members(("wasPaused", .boolean(try await agent.pauses.resume())))
        case .sync:
            if let pause = await agent.tracker.status().pause {
                throw ControlError(.failed, "\(pause): no sending")
            }
            // A sync may take an hour. The signs show the client that the agent is alive, and detect a client that
            // has gone, which frees its connection.
            try await withProgressSigns(every: .seconds(10)) {
                try await part(.null)
            } during: {
                await agent.tracker.sync()
            }
            return await status(nil)
        case .clear:
            let count = try await agent.tracker.storedCount()
            try await agent.tracker.clear()
            return .members(("records", .whole(count)))
        case .listDeadLetters(let sink):
            try await refuseUnknown(sink)
            return try await list(agent.tracker.deadLetters(of: sink), part)
        case .requeueDeadLetters(let selection):
            try await refuseUnknown(selection.sink)
            return .members(("count", .whole(try await agent.tracker.requeueDeadLetters(selection))))
        case .dropDeadLetters(let selection):
            try await refuseUnknown(selection.sink)
            return .members(("count", .whole(try await agent.tracker.dropDeadLetters(selection))))
        case .remote:
            let standing = agent.remoteStanding
            return .members(
                ("json", standing.json ?? .object([])), ("lines", .array(standing.lines.map { .string($0) })))
        case .clearRemote(let keys): return try await clearRemote(keys)
        case .export(let request): return try await export(request, part)
        case .trip(let mode): return try await trip(mode)
        case .places, .addPlace, .removePlaces, .corrections, .correct: return try await placeAnswer(request, part)
        case .followed:
            let here = try await agent.tracker.currentFix()
            return .members(("devices", .array(agent.followed.all.map { $0.json(seenFrom: here) })))
        }
    }

    /// Clears remote settings, and waits up to 10 seconds until the agent runs without them.
    private func clearRemote(_ keys: [String]) async throws -> JSONValue {
        let remote = agent.remote
        let cleared: [String]
        do throws(RemoteRejection) { cleared = try await remote.clear(keys) } catch {
            let known = remote.standing.values.keys
            throw ControlError(keys.allSatisfy(known.contains) ? .failed : .unknown, "\(error)")
        }
        let deadline = ContinuousClock.now.advanced(by: .seconds(10))
        while !agent.applied.hasApplied(remote.standing.values), ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(20))
        }
        return .members(
            ("keys", .array(cleared.map { .string($0) })),
            ("applied", .boolean(agent.applied.hasApplied(remote.standing.values))))
    }

    private func trip(_ mode: TripMode?) async throws -> JSONValue {
        do {
            guard let mode else {
                return .members(("wasUnderWay", .boolean(try await agent.tracker.perform(.stopTrip))))
            }
            guard try await agent.tracker.perform(.startTrip(mode)) else {
                throw ControlError(.failed, "the agent looks for no trips: set events.trips")
            }
            return .members(("mode", .string(mode.name)))
        } catch TrackerError.paused {
            throw ControlError(.failed, "the agent is paused: no trip begins or ends")
        } catch TrackerError.off {
            throw ControlError(.failed, "tracking is off: no trip begins or ends")
        }
    }

    private func status(_ view: StatusStyle?) async -> JSONValue {
        let status = await agent.status()
        guard let view else { return status.json }
        return .array(StatusText.lines(status, view).map { .string($0) })
    }

    /// Refuses the name of an unknown sink. A sink that is no longer configured is known as long as it has dead
    /// letters.
    private func refuseUnknown(_ sink: SinkID?) async throws {
        let names = agent.configuration.sinks.map(\.name.rawValue)
        guard let sink, !names.contains(sink.rawValue), try await agent.tracker.deadLetters(of: sink).isEmpty else {
            return
        }
        throw ControlError(.unknown, Self.unknownSink(sink, names))
    }

    /// `"hoem": expected the name of a sink; did you mean home?`
    private static func unknownSink(_ sink: SinkID, _ names: [String]) -> String {
        let near = Suggestion.nearest(to: sink.rawValue, in: names).map { "; did you mean \($0)?" }
        let all = names.isEmpty ? "; the agent has none" : ", one of \(names.joined(separator: ", "))"
        return "\(sink.rawValue.quoted(atMost: 40)): expected the name of a sink" + (near ?? all)
    }

    private func list(_ letters: [DeadLetter], _ part: ControlServer.Parts) async throws -> JSONValue {
        for letter in letters {
            try await part(
                .members(
                    ("sink", .string(letter.sink.rawValue)), ("record", .string(letter.record.id.description)),
                    ("timestamp", .string(letter.record.fix.time.rfc3339())),
                    ("refused", .string(letter.time.rfc3339())),
                    ("reason", .string(letter.reason))))
        }
        return .members(("count", .whole(letters.count)))
    }

    private func export(_ request: ExportRequest, _ part: ControlServer.Parts) async throws -> JSONValue {
        let tracker = agent.tracker
        let last = await tracker.status().store?.lastSequence ?? .zero
        let export = TrackExport(request, upTo: last) { try await tracker.storedRecords(after: $0, limit: $1) }
        try await export.run { try await part(.string(String(decoding: $0, as: UTF8.self))) }
        return .members(("upTo", .whole(last.rawValue)))
    }
}

public import TrackEngine

/// Replays a recorded track as if a receiver delivered it now.
///
/// The fixes keep their own times (``timeBase`` is ``/TrackEngine/TimeBase/fixTime``), so the same file and
/// configuration give the same records at any pace. A missing or unreadable file is reported as unavailable and
/// thrown, and the supervisor tries again. A defect inside of a file is reported with its line, and the rest is
/// replayed.
///
/// A file goes into a store once: a replay that was stopped or killed goes on after its last record, and one that has
/// come to its end adds no records, unless ``Configuration/loop`` or ``Configuration/startsOver`` is set. The file is
/// recognised by its fixes, not by its name: it may be moved, packed, or grow. A pipe or device cannot be read twice
/// and starts over. All fixes before the last record count as recorded: do not insert new ones there. If another
/// recording is replayed in between, the first one begins again (the records have the same ids). The agent replays a
/// list of files as one recording in its order, and warns of files that it skips because the last record is of a
/// later one.
public struct ReplaySource: RecordedSource {
    /// The file to replay, its format and its pace.
    public struct Configuration: Sendable {
        /// The file, pipe or device; gzip is recognised by its content.
        public var path: String
        /// The format, or automatic.
        public var options: ReplayOptions
        /// How fast. Default: as fast as possible.
        public var pace: ReplayPace
        /// Whether to begin again at the end, with times that go on forward. Default: no. As fast as possible, this
        /// never lets up.
        public var loop: Bool
        /// Whether to replay the file from its start though the store has records of it, which are then stored and
        /// delivered again under the same ids. Default: no.
        public var startsOver: Bool

        /// A configuration; omitted values have their defaults.
        public init(
            path: String, options: ReplayOptions = ReplayOptions(), pace: ReplayPace = .asFastAsPossible,
            loop: Bool = false, startsOver: Bool = false
        ) {
            self.path = path
            self.options = options
            self.pace = pace
            self.loop = loop
            self.startsOver = startsOver
        }
    }

    /// How many fixes are handed over at once.
    private static let batchLength = 256

    /// The source's name.
    public let id: SourceID
    /// The file to replay, its format and its pace.
    public let configuration: Configuration
    private let clock: any Clock<Duration>

    /// The fixes' own time.
    public var timeBase: TimeBase { .fixTime }

    /// Makes a source.
    ///
    /// - Parameters:
    ///   - id: the source's name.
    ///   - configuration: the file to replay, its format and its pace.
    ///   - clock: on which a paced replay waits.
    /// - Throws: `ConfigurationError` when the speed is outside ``ReplayPace/speeds``.
    public init(
        id: SourceID = "replay", configuration: Configuration, clock: any Clock<Duration> = ContinuousClock()
    ) throws(ConfigurationError) {
        if case .speed(let speed) = configuration.pace {
            var check = ConfigurationCheck()
            check.range("pace.speed", speed, ReplayPace.speeds, "times as fast as recorded")
            try check.finish()
        }
        self.id = id
        self.configuration = configuration
        self.clock = clock
    }

    /// Replays the file; with ``Configuration/loop``, until the task is cancelled.
    ///
    /// - Throws: ``ReplayError`` when the file cannot be opened, read or recognised; `CancellationError`.
    public func run(_ output: FixOutput) async throws {
        try await run(output, afterLast: nil)
    }

    /// Replays the fixes after a fix of the file.
    ///
    /// - Throws: as ``run(_:)``.
    public func run(_ output: FixOutput, after fix: Fix) async throws {
        try await run(output, afterLast: fix)
    }

    /// Returns whether the file has this fix; never where the replay starts over or the file cannot be read twice.
    ///
    /// - Throws: as ``run(_:)``.
    public func holds(_ fix: Fix) async throws -> Bool {
        guard !configuration.loop, !configuration.startsOver, FileInput.isRegular(configuration.path) else {
            return false
        }
        for try await chunk in ReplayReader(path: configuration.path, options: configuration.options)
        where chunk.fixes.contains(where: { $0.isReading(of: fix) }) {
            return true
        }
        try Task.checkCancellation()
        return false
    }

    private func run(_ output: FixOutput, afterLast last: Fix?) async throws {
        output.status(.connecting)
        do {
            try await replay(to: output, on: clock, after: last)
        } catch let error as ReplayError {
            output.status(.unavailable(reason: error.description))
            throw error
        }
        output.status(.finished)
    }

    private func replay<C: Clock<Duration>>(to output: FixOutput, on clock: C, after last: Fix?) async throws {
        var rest = Rest(after: last)
        var loop = ReplayLoop()
        var delivery = Delivery(pace: configuration.pace, clock: clock, output: output)
        var hasBegun = false
        repeat {
            for try await chunk in ReplayReader(path: configuration.path, options: configuration.options) {
                if !hasBegun {
                    hasBegun = true
                    output.status(.receiving)
                }
                let fixes = rest.of(chunk.fixes)
                // Those of a chunk before the rest have been reported by an earlier run.
                if rest.hasBegun { for problem in chunk.problems { output.report(problem) } }
                for fix in fixes {
                    try await delivery.deliver(fix.moved(to: loop.time(fix.time)), atMost: Self.batchLength)
                }
                try await delivery.flush()
            }
            try Task.checkCancellation()
        } while configuration.loop && loop.beginRound()
    }

    /// The part of a file after a fix; all of it without one.
    private struct Rest {
        private let last: Fix?
        private(set) var hasBegun: Bool

        init(after last: Fix?) {
            self.last = last
            hasBegun = last == nil
        }

        mutating func of(_ fixes: [Fix]) -> ArraySlice<Fix> {
            if hasBegun { return fixes[...] }
            guard let last, let place = fixes.firstIndex(where: { $0.isReading(of: last) }) else { return [] }
            hasBegun = true
            return fixes[(place + 1)...]
        }
    }

    /// Hands fixes over in batches: those that are due together, up to the bound.
    private struct Delivery<C: Clock<Duration>> {
        private let clock: C
        private let output: FixOutput
        private var schedule: ReplaySchedule?
        private var start: C.Instant?
        private var batch: [Fix] = []

        init(pace: ReplayPace, clock: C, output: FixOutput) {
            self.clock = clock
            self.output = output
            switch pace {
            case .asFastAsPossible: schedule = nil
            case .speed(let speed): schedule = ReplaySchedule(speed: speed)
            }
        }

        mutating func deliver(_ fix: Fix, atMost length: Int) async throws {
            if let due = schedule?.due(fix.time) { try await wait(until: due) }
            batch.append(fix)
            if batch.count >= length { try await flush() }
        }

        private mutating func wait(until due: Duration) async throws {
            let start = start ?? clock.now
            self.start = start
            let moment = start.advanced(by: due)
            guard moment > clock.now else { return }
            try await flush()
            try await clock.sleep(until: moment, tolerance: nil)
        }

        mutating func flush() async throws {
            defer { batch.removeAll(keepingCapacity: true) }
            try await output.emit(contentsOf: batch)
        }
    }
}

extension Fix {
    /// Whether this fix of a file is the one from which a record was made. The pipeline may have put its week right.
    fileprivate func isReading(of recorded: Fix) -> Bool {
        let rollover: Int64 = 1024 * 7 * 86_400 * 1_000_000_000
        return coordinate == recorded.coordinate
            && time.duration(since: recorded.time).saturatedNanoseconds % rollover == 0
    }

    fileprivate func moved(to time: Timestamp) -> Fix {
        time == self.time ? self : retimed(time, adding: [])
    }
}

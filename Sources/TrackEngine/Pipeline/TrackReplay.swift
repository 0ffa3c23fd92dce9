extension Sequence where Element == Fix {
    /// The records that the engine makes of these fixes, made one after the other as they are asked for.
    ///
    /// ```swift
    /// for record in fixes.track(.calmGeo) {
    ///     print(record.fix.time, record.fix.coordinate, record.cause.name)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - configuration: what to keep. Values out of range give useless records, not crashes;
    ///     ``RecordingConfiguration/validated()`` tells.
    ///   - device: whose track it is, part of each record's id.
    ///   - source: where the fixes come from, part of each record's id.
    ///   - wallClock: fixes dated a multiple of 1024 weeks after this have lost count of their GPS weeks and are put
    ///     right; `nil` (the default) leaves them as they are.
    public func track(
        _ configuration: RecordingConfiguration = .calmGeo, device: DeviceID = "track", source: SourceID = "replay",
        wallClock: Timestamp? = nil
    ) -> TrackReplay<Self> {
        TrackReplay(
            device: device, source: source,
            decisions: ReplayDecisions(fixes: self, configuration: configuration, wallClock: wallClock))
    }
}

/// The records of a recorded track: the same that a ``Tracker`` stores of a source with ``TimeBase/fixTime``.
///
/// Time is that of the fixes. Timers fall due between them, and what is undecided is decided at the end. Nothing is read
/// ahead: each step takes fixes until one of them makes a record. `fixes.track(.calmGeo)` makes one.
public struct TrackReplay<Fixes: Sequence>: Sequence where Fixes.Element == Fix {
    fileprivate let device: DeviceID
    fileprivate let source: SourceID
    /// Everything that is decided about the fixes: rejections with their reason too.
    public let decisions: ReplayDecisions<Fixes>

    /// The records, from the beginning of the track.
    public func makeIterator() -> Iterator {
        Iterator(device: device, source: source, decisions: decisions.makeIterator())
    }

    /// Goes through the track once.
    public struct Iterator: IteratorProtocol {
        fileprivate let device: DeviceID
        fileprivate let source: SourceID
        fileprivate var decisions: ReplayDecisions<Fixes>.Iterator

        /// The next record; `nil` after the last one.
        public mutating func next() -> RecordDraft? {
            while let (fix, decision) = decisions.next() {
                if case .record(let plan) = decision { return plan.draft(of: fix, device: device, source: source) }
            }
            return nil
        }
    }
}

/// Everything that the engine decides about a recorded track, each decision with the fix it is about.
///
/// ```swift
/// for (fix, decision) in fixes.track(.calmGeo).decisions {
///     if case .reject(let reason) = decision { print(fix.time, reason.name) }
/// }
/// ```
public struct ReplayDecisions<Fixes: Sequence>: Sequence where Fixes.Element == Fix {
    fileprivate let fixes: Fixes
    fileprivate let configuration: RecordingConfiguration
    fileprivate let wallClock: Timestamp?

    /// The decisions, from the beginning of the track.
    public func makeIterator() -> Iterator {
        Iterator(
            fixes: fixes.makeIterator(), wallClock: wallClock,
            pipeline: TrackPipeline(configuration, timeBase: .fixTime))
    }

    /// Goes through the track once.
    public struct Iterator: IteratorProtocol {
        /// Absent when the last fix has been taken.
        private var fixes: Fixes.Iterator?
        private let wallClock: Timestamp?
        private var pipeline: TrackPipeline
        /// What the last fix led to: with the rule `deviation` at most as many decisions as its window is long, else few.
        private var decided: [(fix: Fix, decision: Decision)] = []
        private var handedOn = 0

        fileprivate init(fixes: Fixes.Iterator, wallClock: Timestamp?, pipeline: TrackPipeline) {
            self.fixes = fixes
            self.wallClock = wallClock
            self.pipeline = pipeline
        }

        /// The next decision; `nil` after the last one.
        public mutating func next() -> (fix: Fix, decision: Decision)? {
            while handedOn == decided.count {
                guard fixes != nil else { return nil }
                advance()
            }
            defer { handedOn += 1 }
            return decided[handedOn]
        }

        private mutating func advance() {
            var next = decided
            decided = []  // gives up the second reference, so that the array keeps its storage
            next.removeAll(keepingCapacity: true)
            if let fix = fixes?.next() {
                pipeline.replay(fix, wallClock: wallClock) { next.append(($0, $1)) }
            } else {
                fixes = nil
                pipeline.decideAll { next.append(($0, $1)) }
            }
            (decided, handedOn) = (next, 0)
        }
    }
}

extension ReplayDecisions: Sendable where Fixes: Sendable {}
extension TrackReplay: Sendable where Fixes: Sendable {}

extension Sequence where Element == Fix {
    /// Returns the records that the engine makes of these fixes, computed lazily one after the other.
    ///
    /// ```swift
    /// for record in fixes.track(.calmGeo) {
    ///     print(record.fix.time, record.fix.coordinate, record.cause.name)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - configuration: the recording configuration. Values out of range lead to useless records, not to crashes;
    ///     ``RecordingConfiguration/validated()`` checks them.
    ///   - device: the device of the track, part of each record's id.
    ///   - source: the source of the fixes, part of each record's id.
    ///   - wallClock: fixes dated a multiple of 1024 weeks after this time have lost count of their GPS weeks and are
    ///     corrected; `nil` (the default) leaves them unchanged.
    public func track(
        _ configuration: RecordingConfiguration = .calmGeo, device: DeviceID = "track", source: SourceID = "replay",
        wallClock: Timestamp? = nil
    ) -> TrackReplay<Self> {
        TrackReplay(
            device: device, source: source,
            decisions: ReplayDecisionSequence(fixes: self, configuration: configuration, wallClock: wallClock))
    }
}

/// The records of a recorded track: the same that a ``Tracker`` stores of a source with ``TimeBase/fixTime``.
///
/// Time is that of the fixes. Timers fire between them, and undecided fixes are decided at the end. No fix is read
/// ahead: each step reads fixes until one of them makes a record. `fixes.track(.calmGeo)` creates a replay.
public struct TrackReplay<Fixes: Sequence>: Sequence where Fixes.Element == Fix {
    fileprivate let device: DeviceID
    fileprivate let source: SourceID
    /// All decisions about the fixes, including rejections with their reason.
    public let decisions: ReplayDecisionSequence<Fixes>

    /// The records, from the beginning of the track.
    public func makeIterator() -> Iterator {
        Iterator(device: device, source: source, decisions: decisions.makeIterator())
    }

    /// Iterates over the track once.
    public struct Iterator: IteratorProtocol {
        fileprivate let device: DeviceID
        fileprivate let source: SourceID
        fileprivate var decisions: ReplayDecisionSequence<Fixes>.Iterator

        /// The next record; `nil` after the last one.
        public mutating func next() -> RecordDraft? {
            while let (fix, decision) = decisions.next() {
                if case .record(let plan) = decision { return plan.draft(of: fix, device: device, source: source) }
            }
            return nil
        }
    }
}

/// All decisions of the engine about a recorded track, each with its fix.
///
/// ```swift
/// for (fix, decision) in fixes.track(.calmGeo).decisions {
///     if case .reject(let reason) = decision { print(fix.time, reason.name) }
/// }
/// ```
public struct ReplayDecisionSequence<Fixes: Sequence>: Sequence where Fixes.Element == Fix {
    fileprivate let fixes: Fixes
    fileprivate let configuration: RecordingConfiguration
    fileprivate let wallClock: Timestamp?

    /// The decisions, from the beginning of the track.
    public func makeIterator() -> Iterator {
        Iterator(
            fixes: fixes.makeIterator(), wallClock: wallClock,
            pipeline: TrackPipeline(configuration, timeBase: .fixTime))
    }

    /// Iterates over the track once.
    public struct Iterator: IteratorProtocol {
        /// Absent after the last fix.
        private var fixes: Fixes.Iterator?
        private let wallClock: Timestamp?
        private var pipeline: TrackPipeline
        /// The decisions after the last fix: with the rule `deviation` at most as many as its window is long, otherwise
        /// few.
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
            decided = []  // drops the second reference, so that the array keeps its storage
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

extension ReplayDecisionSequence: Sendable where Fixes: Sendable {}
extension TrackReplay: Sendable where Fixes: Sendable {}

package import TrackEngine
import TrackEngineFiles
import TrackEngineSettings

/// Processes fixes with the pipeline in their own time and writes the outcome, one JSON object per line.
///
/// A pure value: the same fixes and configuration give the same bytes. Records have the shape of a CalmGeo record; a
/// rejected fix is `{"reason":"too-near","timestamp":…,"coords":{…}}`.
package struct ReplayRun: Sendable {
    /// The outcome of the fixes.
    package struct Statistics: Sendable, Hashable {
        package var fixes = 0
        /// Fixes that became a record.
        package var recorded = 0
        /// Recorded fixes that became a second record, for the stop that they began.
        package var again = 0
        /// Fixes that did not become a record. A fix that was rejected first and recorded later, such as the one at
        /// which the object came to rest, is not among them.
        package var rejected: [RejectionReason: Int] = [:]
        /// The distance from record to record, in metres.
        package var distance = 0.0
        /// The time from the first record to the last, by the fixes' time.
        package var span = Duration.zero
    }

    /// The outcome of one fix.
    package enum Outcome: Sendable {
        case recorded(RecordDraft)
        case rejected(Fix, RejectionReason)
    }

    private static let source: SourceID = "replay"

    private let device: DeviceID
    private let showsRejections: Bool
    private let wallClock: Timestamp
    /// Keeps hidden positions out of the output.
    private let privacyFilter: (any PrivacyFilter)?
    private let observe: (@Sendable (Outcome) -> Void)?
    /// Absent only while it is changed.
    private var pipeline: TrackPipeline?
    private var writer = JSONWriter()
    private var firstRecord: Timestamp?
    private var lastRecord: Fix?
    /// The last fix that passed the gates but was rejected. A timer may still record it.
    private var passedOver: (fix: Fix, reason: RejectionReason)?
    /// Fixes that the rule `deviation` has not decided about yet, at most as many as its window holds. Kept only if
    /// rejections are written.
    private var undecided: [Fix] = []
    /// The outcome of the fixes so far.
    package private(set) var statistics = Statistics()

    /// A track at its beginning.
    ///
    /// - Parameters:
    ///   - showsRejections: whether rejected fixes are written, too.
    ///   - wallClock: fixes dated a multiple of 1024 weeks after this have lost count of their GPS weeks and are
    ///     corrected; no other result depends on it.
    ///   - privacyFilter: hides positions, as it does for a tracker. A fix that it drops is counted, but not written.
    ///   - observe: called with each line's record or rejected fix, too.
    package init(
        _ configuration: RecordingConfiguration, device: DeviceID, showsRejections: Bool, wallClock: Timestamp,
        privacyFilter: (any PrivacyFilter)? = nil, observe: (@Sendable (Outcome) -> Void)? = nil
    ) {
        self.device = device
        self.showsRejections = showsRejections
        self.wallClock = wallClock
        self.privacyFilter = privacyFilter
        self.observe = observe
        pipeline = TrackPipeline(configuration, timeBase: .fixTime)
    }

    /// Evaluates a fix, after the deadlines before it, and appends the lines to `bytes`.
    package mutating func process(_ fix: Fix, to bytes: inout [UInt8]) {
        statistics.fixes += 1
        guard let fix = privacyFilter.map({ $0.covered(fix) }) ?? fix else {
            statistics.rejected[.hidden, default: 0] += 1
            return
        }
        let wallClock = wallClock
        change(&bytes) { pipeline, note in pipeline.replay(fix, wallClock: wallClock, decide: note) }
    }

    /// Ends the track and appends the lines that its end requires.
    package mutating func finish(to bytes: inout [UInt8]) {
        change(&bytes) { pipeline, note in pipeline.decideAll(decide: note) }
    }

    /// Changes the pipeline, taken out to be changed in place, and notes its decisions.
    private mutating func change(
        _ bytes: inout [UInt8], _ body: (inout TrackPipeline, (Fix, Decision) -> Void) -> Void
    ) {
        guard var pipeline = pipeline.take() else { return }
        body(&pipeline) { note($0, $1, to: &bytes) }
        self.pipeline = pipeline
    }

    private mutating func note(_ fix: Fix, _ decision: Decision, to bytes: inout [UInt8]) {
        switch decision {
        case .record(let plan): record(fix, plan, to: &bytes)
        case .reject(let reason): reject(fix, reason, to: &bytes)
        case .undecided: if showsRejections { undecided.append(fix) }
        case .standby: break
        }
    }

    private mutating func record(_ fix: Fix, _ plan: RecordPlan, to bytes: inout [UInt8]) {
        count(fix)
        if plan.passedOver > 0 { statistics.rejected[.unneeded, default: 0] += plan.passedOver }
        endUndecided(at: fix, passedOver: plan.passedOver, to: &bytes)
        if let lastRecord { statistics.distance += lastRecord.coordinate.distance(to: fix.coordinate) }
        firstRecord = firstRecord ?? fix.time
        statistics.span = fix.time.duration(since: firstRecord ?? fix.time)
        lastRecord = fix
        writer.removeAll()
        let draft = plan.draft(of: fix, device: device, source: Self.source)
        observe?(.recorded(draft))
        CalmGeoRecord.write(draft, to: &writer)
        endLine(&bytes)
    }

    /// Ends undecided fixes at a record, which decides about the fixes before it: the first `count` were not needed.
    private mutating func endUndecided(at fix: Fix, passedOver count: Int, to bytes: inout [UInt8]) {
        guard !undecided.isEmpty else { return }
        for unneeded in undecided.prefix(count) { writeRejection(unneeded, .unneeded, to: &bytes) }
        undecided.removeFirst(min(count, undecided.count))
        if undecided.first == fix { undecided.removeFirst() }
    }

    /// Counts a recorded fix, which may already have a record or have been rejected before.
    private mutating func count(_ fix: Fix) {
        if lastRecord == fix {
            statistics.again += 1
            return
        }
        statistics.recorded += 1
        guard let passedOver, passedOver.fix == fix else { return }
        statistics.rejected[passedOver.reason, default: 1] -= 1
        self.passedOver = nil
    }

    private mutating func reject(_ fix: Fix, _ reason: RejectionReason, to bytes: inout [UInt8]) {
        statistics.rejected[reason, default: 0] += 1
        if !reason.isOfGates { passedOver = (fix, reason) }
        if showsRejections { writeRejection(fix, reason, to: &bytes) }
    }

    private mutating func writeRejection(_ fix: Fix, _ reason: RejectionReason, to bytes: inout [UInt8]) {
        observe?(.rejected(fix, reason))
        writer.removeAll()
        writer.member(#"{"reason":"#, reason.name)
        writer.member(#","timestamp":"#, fix.time)
        writer.raw(#","coords":"#)
        CalmGeoRecord.writeCoordinates(of: fix, to: &writer)
        writer.raw("}")
        endLine(&bytes)
    }

    private mutating func endLine(_ bytes: inout [UInt8]) {
        writer.raw("\n")
        bytes.append(contentsOf: writer.bytes)
    }
}

extension ReplayRun.Statistics {
    /// Whether any fix had a position, right or wrong.
    package var hasPosition: Bool {
        rejected[.invalidCoordinate, default: 0] + rejected[.nullIsland, default: 0] < fixes
    }

    /// `1234 fixes, 56 recorded, 1178 rejected (1100 too-near, 78 duplicate-time), 12.3 km from record to record in 34 min`
    ///
    /// The length is that of the recorded track. An odometer also counts the way between two records, and `trackd
    /// tune` measures the track of all fixes; both are a little longer.
    package var summary: String {
        let reasons = RejectionReason.allCases.compactMap { reason in
            rejected[reason].flatMap { $0 > 0 ? "\($0) \(reason.name)" : nil }
        }
        let total = rejected.values.reduce(0, +)
        let why = reasons.isEmpty ? "" : " (\(reasons.joined(separator: ", ")))"
        let length = "\((distance / 1000).fixed(1)) km from record to record in \(span.spoken)"
        let twice = again > 0 ? " (\(again) twice)" : ""
        return "\(fixes.counted("fix")), \(recorded) recorded\(twice), \(total) rejected\(why), \(length)"
    }
}

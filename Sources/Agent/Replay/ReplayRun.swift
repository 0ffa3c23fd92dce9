package import TrackEngine
import TrackEngineReplay
import TrackEngineSettings

/// Takes fixes through the pipeline on their own time and writes what becomes of them, a JSON object a line.
///
/// A pure value: the same fixes and configuration give the same bytes. Records have the shape of a CalmGeo record; a
/// rejected fix is `{"reason":"too-near","timestamp":…,"coords":{…}}`.
package struct ReplayRun: Sendable {
    /// What became of the fixes.
    package struct Statistics: Sendable, Hashable {
        package var fixes = 0
        /// Fixes that became a record.
        package var recorded = 0
        /// Those of them that became a second one, for the stop that they began.
        package var again = 0
        /// Fixes that did not become a record. A fix that was rejected first and recorded later, as the one at which the
        /// object came to rest, is not among them.
        package var rejected: [RejectionReason: Int] = [:]
        /// Metres from record to record.
        package var distance = 0.0
        /// From the first record to the last, by the fixes' time.
        package var span = Duration.zero
    }

    /// What became of one fix.
    package enum Outcome: Sendable {
        case recorded(RecordDraft)
        case rejected(Fix, RejectionReason)
    }

    private static let source: SourceID = "replay"

    private let device: DeviceID
    private let showsRejections: Bool
    private let wallClock: Timestamp
    /// Keeps true positions from all that is written.
    private let cover: (any PositionCover)?
    private let observe: (@Sendable (Outcome) -> Void)?
    /// Only absent while it is changed.
    private var pipeline: TrackPipeline?
    private var writer = JSONWriter()
    private var firstRecord: Timestamp?
    private var lastRecord: Fix?
    /// The last fix that passed the gates and was rejected all the same. It is the one that a timer may record.
    private var passedOver: (fix: Fix, reason: RejectionReason)?
    /// Fixes about which the rule `deviation` has not decided yet, at most as many as its window holds. Kept only where
    /// rejections are written.
    private var undecided: [Fix] = []
    /// What became of the fixes so far.
    package private(set) var statistics = Statistics()

    /// A track at its beginning.
    ///
    /// - Parameters:
    ///   - showsRejections: whether rejected fixes are written too.
    ///   - wallClock: fixes dated a multiple of 1024 weeks after this have lost count of their GPS weeks and are put right;
    ///     nothing else depends on it.
    ///   - cover: hides positions, as it does from a tracker. A fix that it drops is counted, and written nowhere.
    ///   - observe: called with each line's record or rejected fix, too.
    package init(
        _ configuration: RecordingConfiguration, device: DeviceID, showsRejections: Bool, wallClock: Timestamp,
        cover: (any PositionCover)? = nil, observe: (@Sendable (Outcome) -> Void)? = nil
    ) {
        self.device = device
        self.showsRejections = showsRejections
        self.wallClock = wallClock
        self.cover = cover
        self.observe = observe
        pipeline = TrackPipeline(configuration, timeBase: .fixTime)
    }

    /// Judges a fix, after the deadlines before it, and appends the lines to `bytes`.
    package mutating func process(_ fix: Fix, to bytes: inout [UInt8]) {
        statistics.fixes += 1
        guard let fix = cover.map({ $0.covered(fix) }) ?? fix else {
            statistics.rejected[.hidden, default: 0] += 1
            return
        }
        let wallClock = wallClock
        change(&bytes) { pipeline, note in pipeline.replay(fix, wallClock: wallClock, decide: note) }
    }

    /// Ends the track: appends what its end makes needed.
    package mutating func finish(to bytes: inout [UInt8]) {
        change(&bytes) { pipeline, note in pipeline.decideAll(decide: note) }
    }

    /// Changes the pipeline, taken out so that it is changed in place, and notes what it decides.
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

    /// A record decides about the fixes before it: the first so many were not needed.
    private mutating func endUndecided(at fix: Fix, passedOver count: Int, to bytes: inout [UInt8]) {
        guard !undecided.isEmpty else { return }
        for unneeded in undecided.prefix(count) { writeRejection(unneeded, .unneeded, to: &bytes) }
        undecided.removeFirst(min(count, undecided.count))
        if undecided.first == fix { undecided.removeFirst() }
    }

    /// Counts a recorded fix, which may have a record or have been rejected before.
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
        writer.raw(#"{"reason":"#)
        writer.string(reason.name)
        writer.raw(#","timestamp":"#)
        writer.time(fix.time, .milliseconds)
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
    /// Whether any fix was at a place, right or wrong.
    package var hasPosition: Bool {
        rejected[.invalidCoordinate, default: 0] + rejected[.nullIsland, default: 0] < fixes
    }

    /// `1234 fixes, 56 recorded, 1178 rejected (1100 too-near, 78 duplicate-time), 12.3 km from record to record in 34 min`
    ///
    /// The length is that of the recorded track. An odometer also counts what lies between two records, and `trackd tune`
    /// the track of all fixes; both are a little longer.
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

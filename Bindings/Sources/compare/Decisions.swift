import CTrackEngine
import TrackEngine

/// A decision with all that both interfaces say about it.
struct ComparedDecision: Equatable, CustomStringConvertible {
    var kind: UInt32
    var reason = ""
    var fix: UInt64
    var time: Int64
    var odometer: UInt64 = 0
    var flags: UInt32 = 0
    var passedOver: UInt32 = 0
    var activity: UInt32 = 0
    var confidence: UInt32 = 0

    var description: String {
        "kind \(kind) \(reason) of fix \(fix) at \(time), odometer \(Double(bitPattern: odometer)), flags \(flags), "
            + "passed over \(passedOver), activity \(activity) \(confidence) %"
    }
}

extension ComparedDecision {
    /// A decision of the engine.
    init(_ decision: Decision, fix: UInt64, time: Timestamp) {
        self.init(kind: 0, fix: fix, time: time.nanosecondsSince1970)
        switch decision {
        case .record(let plan):
            kind = TE_RECORD
            reason = plan.cause.name
            odometer = plan.odometer.bitPattern
            flags = (plan.isMoving ? TE_MOVING : 0) | (plan.event == .motionChange ? TE_MOTION_CHANGE : 0)
            passedOver = UInt32(plan.passedOver)
            activity = plan.activity.map { UInt32($0.activity.rawValue) + 1 } ?? 0
            confidence = UInt32(plan.activity?.confidence ?? 0)
        case .reject(let rejection):
            kind = TE_REJECT
            reason = rejection.name
        case .undecided: kind = TE_UNDECIDED
        case .standby: kind = TE_STANDBY
        }
    }

    /// A decision of the library.
    init(_ decision: te_decision, _ library: Library) {
        self.init(kind: UInt32(decision.kind), fix: decision.fix, time: decision.time)
        let number = UInt32(decision.reason)
        let name =
            kind == TE_RECORD ? library.causeName(number) : kind == TE_REJECT ? library.rejectionName(number) : nil
        reason = name.map { String(cString: $0) } ?? ""
        odometer = decision.odometer.bitPattern
        flags = UInt32(decision.flags)
        passedOver = decision.passed_over
        activity = UInt32(decision.activity)
        confidence = UInt32(decision.activity_confidence)
    }
}

/// Returns the decisions of the engine's replay. The number of a fix is found by value among all earlier fixes.
func decisionsOfEngine(_ fixes: [Fix], _ tracking: String, wallClock: Timestamp?) throws -> [ComparedDecision] {
    var pipeline = TrackPipeline(try RecordingConfiguration(json: tracking.utf8), timeBase: .fixTime)
    var decisions: [ComparedDecision] = []
    var numbers: [Position: UInt64] = [:]
    for (number, fix) in fixes.enumerated() {
        var made: [(Fix, Decision)] = []
        let own = timerDecisions(pipeline, before: fix, wallClock)
        pipeline.replay(fix, wallClock: wallClock) { made.append(($0, $1)) }
        if !isGateRejection(made[own].1) { numbers[Position(made[own].0)] = UInt64(number) }
        for (index, (decided, decision)) in made.enumerated() {
            let known = index == own ? UInt64(number) : numbers[Position(decided)] ?? .max
            decisions.append(ComparedDecision(decision, fix: known, time: decided.time))
        }
    }
    pipeline.decideAll { decided, decision in
        decisions.append(
            ComparedDecision(decision, fix: numbers[Position(decided)] ?? .max, time: decided.time))
    }
    return decisions
}

private struct Position: Hashable {
    let time: Timestamp
    let latitude: Double
    let longitude: Double

    init(_ fix: Fix) {
        (time, latitude, longitude) = (fix.time, fix.coordinate.latitude, fix.coordinate.longitude)
    }
}

/// Returns the number of decisions that timers make before a fix.
private func timerDecisions(_ pipeline: TrackPipeline, before fix: Fix, _ wallClock: Timestamp?) -> Int {
    var (copy, count) = (pipeline, 0)
    while let due = copy.nextTimeout(before: fix, wallClock: wallClock) {
        copy.timeout(at: due) { _, _ in count += 1 }
    }
    return count
}

private func isGateRejection(_ decision: Decision) -> Bool {
    guard case .reject(let reason) = decision else { return false }
    return ![.notInMotion, .standby, .tooNear].contains(reason)
}

/// Returns the decisions of the library, in batches, into memory of a capacity.
func decisionsOfLibrary(
    _ fixes: [te_fix], _ tracking: String, wallClock: Int64, batch: Int, capacity: Int, _ library: Library
) throws -> [ComparedDecision] {
    let filter = try library.filter(tracking, wallClock: wallClock)
    defer { library.free(filter) }
    let memory = UnsafeMutablePointer<te_decision>.allocate(capacity: capacity)
    defer { memory.deallocate() }
    var output = te_decisions(
        size: UInt32(MemoryLayout<te_decisions>.size), item_size: UInt32(MemoryLayout<te_decision>.size),
        items: memory, capacity: capacity, count: 0, taken: 0)
    var decisions: [ComparedDecision] = []
    var start = 0
    try fixes.withUnsafeBufferPointer { fixes in
        while start < fixes.count {
            let length = min(batch, fixes.count - start)
            guard library.push(filter, fixes.baseAddress! + start, length, &output) == TE_OK else {
                throw Failure("te_filter_push: \(String(cString: library.lastError()!))")
            }
            decisions += (0..<output.count).map { ComparedDecision(memory[$0], library) }
            start += output.taken
        }
    }
    repeat {
        guard library.flush(filter, &output) == TE_OK else { throw Failure("te_filter_flush failed") }
        decisions += (0..<output.count).map { ComparedDecision(memory[$0], library) }
    } while output.count == capacity
    return decisions
}

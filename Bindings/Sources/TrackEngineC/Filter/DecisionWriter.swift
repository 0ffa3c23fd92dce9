import CTrackEngine
import TrackEngine

/// Writes decisions into a caller's memory; those beyond its capacity wait for the next call.
struct DecisionWriter {
    private let items: UnsafeMutableRawPointer
    private let stride: Int
    private let capacity: Int
    private(set) var count = 0
    /// Decisions that did not fit.
    private(set) var waiting: [te_decision]

    /// Checks the caller's memory, and writes the decisions that wait since the last call.
    init(_ decisions: UnsafeMutablePointer<te_decisions>?, waiting: [te_decision]) throws(CallError) {
        guard let decisions else { throw .argument("decisions = NULL: expected memory for decisions") }
        try check(decisions.pointee.size, MemoryLayout<te_decisions>.size, "decisions")
        stride = try checkedSize(decisions.pointee.item_size, MemoryLayout<te_decision>.size, "decisions.item_size")
        guard let items = decisions.pointee.items else {
            throw .argument("decisions.items = NULL: expected memory for decisions")
        }
        guard decisions.pointee.capacity > 0 else { throw .argument("decisions.capacity = 0: expected at least 1") }
        self.items = UnsafeMutableRawPointer(items)
        capacity = decisions.pointee.capacity
        self.waiting = waiting
        if !waiting.isEmpty { writeWaiting() }
    }

    /// Whether another decision fits and none waits.
    var hasRoom: Bool { count < capacity }

    private mutating func writeWaiting() {
        let fitting = min(capacity, waiting.count)
        for decision in waiting[..<fitting] { put(decision) }
        waiting.removeFirst(fitting)
    }

    /// Adds a decision.
    @inline(__always)
    mutating func write(_ decision: te_decision) {
        if count < capacity { put(decision) } else { keep(decision) }
    }

    @inline(__always)
    private mutating func put(_ decision: te_decision) {
        items.storeBytes(of: decision, toByteOffset: count &* stride, as: te_decision.self)
        count &+= 1
    }

    @inline(never)
    private mutating func keep(_ decision: te_decision) { waiting.append(decision) }
}

extension te_decision {
    /// A decision about the fix with a number.
    @inline(__always)
    init(_ decision: Decision, fix: UInt64, time: Timestamp) {
        self.init()
        size = UInt32(MemoryLayout<te_decision>.size)
        self.fix = fix
        self.time = time.nanosecondsSince1970
        switch decision {
        case .record(let plan):
            kind = UInt8(TE_RECORD)
            reason = plan.cause.number
            flags = (plan.isMoving ? UInt8(TE_MOVING) : 0) | (plan.event == nil ? 0 : UInt8(TE_MOTION_CHANGE))
            odometer = plan.odometer
            passed_over = UInt32(clamping: plan.passedOver)
            activity = plan.activity?.activity.number ?? 0
            activity_confidence = plan.activity?.confidence ?? 0
        case .reject(let reason):
            kind = UInt8(TE_REJECT)
            self.reason = reason.number
        case .undecided: kind = UInt8(TE_UNDECIDED)
        case .standby: kind = UInt8(TE_STANDBY)
        }
    }
}

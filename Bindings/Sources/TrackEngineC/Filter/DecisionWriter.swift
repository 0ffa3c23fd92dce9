import CTrackEngine
import TrackEngine

/// Writes decisions into a caller's memory; those beyond its capacity wait for the next call.
struct DecisionWriter {
    private let items: UnsafeMutableRawPointer
    private let stride: Int
    private let capacity: Int
    private(set) var count = 0
    /// Decisions that did not fit.
    private var waiting: [te_decision] = []

    /// Checks the caller's memory.
    init(_ decisions: UnsafeMutablePointer<te_decisions>?) throws(CallError) {
        guard let decisions else { throw .argument("decisions = NULL: expected memory for decisions") }
        try check(decisions.pointee.size, MemoryLayout<te_decisions>.size, "decisions")
        stride = try checkedSize(decisions.pointee.item_size, MemoryLayout<te_decision>.size, "decisions.item_size")
        guard let items = decisions.pointee.items else {
            throw .argument("decisions.items = NULL: expected memory for decisions")
        }
        guard decisions.pointee.capacity > 0 else { throw .argument("decisions.capacity = 0: expected at least 1") }
        self.items = UnsafeMutableRawPointer(items)
        capacity = decisions.pointee.capacity
    }

    /// Takes the decisions that wait since the last call, and writes those that fit.
    mutating func takeWaiting(from store: inout [te_decision]) {
        swap(&waiting, &store)  // so that there is one reference to the array, and it keeps its room
        if !waiting.isEmpty { writeWaiting() }
    }

    /// Returns the decisions that wait for the next call.
    mutating func leaveWaiting(in store: inout [te_decision]) { swap(&waiting, &store) }

    /// Whether another decision fits and none waits.
    var hasRoom: Bool { count < capacity }

    private mutating func writeWaiting() {
        let fitting = min(capacity, waiting.count)
        for decision in waiting[..<fitting] { put(decision) }
        waiting.removeFirst(fitting)
    }

    /// Adds a decision about the fix with a number.
    @inline(__always)
    mutating func write(_ decision: Decision, fix: UInt64, time: Timestamp) {
        let words = DecisionWords(decision, fix: fix, time: time)
        guard count < capacity else { return keep(words) }
        words.store(to: items + count &* stride)
        count &+= 1
    }

    private mutating func put(_ decision: te_decision) {
        items.storeBytes(of: decision, toByteOffset: count &* stride, as: te_decision.self)
        count &+= 1
    }

    @inline(never)
    private mutating func keep(_ words: DecisionWords) {
        var decision = te_decision()
        withUnsafeMutableBytes(of: &decision) { memory in
            if let start = memory.baseAddress { words.store(to: start) }
        }
        waiting.append(decision)
    }
}

/// A `te_decision` in words of eight bytes, on a machine that stores the lowest byte first: single bytes would have to be
/// collected again to be copied, which takes longer than the decision.
private struct DecisionWords {
    /// size, kind, reason, flags, activity.
    private var head = UInt64(MemoryLayout<te_decision>.size)
    private let fix: UInt64
    private let time: UInt64
    private var odometer: UInt64 = 0
    /// passed_over, activity_confidence.
    private var tail: UInt64 = 0

    @inline(__always)
    init(_ decision: Decision, fix: UInt64, time: Timestamp) {
        self.fix = fix
        self.time = UInt64(bitPattern: time.nanosecondsSince1970)
        switch decision {
        case .record(let plan):
            let flags = (plan.isMoving ? TE_MOVING : 0) | (plan.event == nil ? 0 : TE_MOTION_CHANGE)
            head |= Self.head(TE_RECORD, plan.cause.number, flags)
            odometer = plan.odometer.bitPattern
            tail = UInt64(UInt32(clamping: plan.passedOver))
            if let activity = plan.activity {
                head |= UInt64(activity.activity.number) << 56
                tail |= UInt64(activity.confidence) << 32
            }
        case .reject(let reason): head |= Self.head(TE_REJECT, reason.number, 0)
        case .undecided: head |= Self.head(TE_UNDECIDED, 0, 0)
        case .standby: head |= Self.head(TE_STANDBY, 0, 0)
        }
    }

    @inline(__always)
    private static func head(_ kind: UInt32, _ reason: UInt8, _ flags: UInt32) -> UInt64 {
        UInt64(kind) << 32 | UInt64(reason) << 40 | UInt64(flags) << 48
    }

    @inline(__always)
    func store(to memory: UnsafeMutableRawPointer) {
        memory.storeBytes(of: head.littleEndian, as: UInt64.self)
        memory.storeBytes(of: fix, toByteOffset: 8, as: UInt64.self)
        memory.storeBytes(of: time, toByteOffset: 16, as: UInt64.self)
        memory.storeBytes(of: odometer, toByteOffset: 24, as: UInt64.self)
        memory.storeBytes(of: tail.littleEndian, toByteOffset: 32, as: UInt64.self)
    }
}

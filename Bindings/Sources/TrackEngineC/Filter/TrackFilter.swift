import CTrackEngine
import TrackEngine

/// A pipeline on the time of the fixes, which numbers the fixes.
struct TrackFilter {
    private var pipeline: TrackPipeline
    private let wallClock: Timestamp?
    private var numbers: FixNumbers
    /// Room for the next fixes in the engine's form.
    private let converted: UnsafeMutableBufferPointer<Fix>
    /// Decisions that did not fit the memory of the last call.
    private var waiting: [te_decision] = []

    init(_ configuration: RecordingConfiguration, wallClock: Timestamp?) {
        pipeline = TrackPipeline(configuration, timeBase: .fixTime)
        self.wallClock = wallClock
        numbers = FixNumbers(configuration)
        converted = .allocate(capacity: 32)
        waiting.reserveCapacity(configuration.record == .deviation ? 512 : 8)
    }

    func deallocate() {
        numbers.deallocate()
        converted.deallocate()
    }

    var odometer: Double { pipeline.odometer }

    /// Processes fixes until the memory for decisions is full.
    mutating func push(_ fixes: FixArray, _ decisions: UnsafeMutablePointer<te_decisions>?) throws(CallError) {
        var writer = try makeWriter(decisions)
        var taken = 0
        while taken < fixes.count, writer.hasRoom {
            let count = convert(fixes, from: taken)
            var index = 0
            while index < count, writer.hasRoom {
                Self.process(converted[index], wallClock, &pipeline, &numbers, &writer)
                index &+= 1
            }
            taken &+= index
        }
        finish(&writer, taken, decisions)
    }

    /// Converts the next fixes, and returns their number.
    ///
    /// Some at a time, because a processor that reads a fix right after its bytes were written waits for all of them.
    @inline(__always)
    private func convert(_ fixes: FixArray, from start: Int) -> Int {
        let count = min(converted.count, fixes.count &- start)
        for index in 0..<count { converted.initializeElement(at: index, to: fixes[start &+ index]) }
        return count
    }

    /// Decides about the undecided fixes, and ends the leg on request.
    mutating func decideAll(
        endingLeg: Bool, _ decisions: UnsafeMutablePointer<te_decisions>?
    ) throws(CallError) {
        var writer = try makeWriter(decisions)
        if writer.hasRoom {
            let numbers = numbers
            if endingLeg {
                pipeline.interrupt { Self.writeLate($0, $1, numbers, &writer) }
            } else {
                pipeline.decideAll { Self.writeLate($0, $1, numbers, &writer) }
            }
        }
        finish(&writer, 0, decisions)
    }

    // MARK: One fix

    // Static, with the parts as parameters: the closures change some of them while the pipeline is being changed. The
    // pipeline is never copied, because a copy with the rule `deviation` would copy its window.

    @inline(__always)
    private static func process(
        _ fix: Fix, _ wallClock: Timestamp?, _ pipeline: inout TrackPipeline, _ numbers: inout FixNumbers,
        _ writer: inout DecisionWriter
    ) {
        if let due = pipeline.nextTimeout(before: fix, wallClock: wallClock) {
            passTimeouts(due, fix, wallClock, &pipeline, numbers, &writer)
        }
        let number = numbers.next()
        var isItsOwn = true
        pipeline.process(fix, at: TrackInstant(fix.time), wallClock: wallClock) { fix, decision in
            guard isItsOwn else { return writeLate(fix, decision, numbers, &writer) }
            isItsOwn = false
            if decision.hasReachedMotion { numbers.add(number, time: fix.time) }
            writer.write(decision, fix: number, time: fix.time)
        }
    }

    @inline(never)
    private static func passTimeouts(
        _ first: TrackInstant, _ fix: Fix, _ wallClock: Timestamp?, _ pipeline: inout TrackPipeline,
        _ numbers: FixNumbers, _ writer: inout DecisionWriter
    ) {
        var next: TrackInstant? = first
        while let due = next {
            pipeline.timeout(at: due) { writeLate($0, $1, numbers, &writer) }
            next = pipeline.nextTimeout(before: fix, wallClock: wallClock)
        }
    }

    /// Writes a decision about an earlier fix.
    @inline(never)
    private static func writeLate(
        _ fix: Fix, _ decision: Decision, _ numbers: FixNumbers, _ writer: inout DecisionWriter
    ) {
        writer.write(decision, fix: numbers.number(of: fix.time), time: fix.time)
    }

    // MARK: The caller's memory

    private mutating func makeWriter(
        _ decisions: UnsafeMutablePointer<te_decisions>?
    ) throws(CallError) -> DecisionWriter {
        var writer = try DecisionWriter(decisions)
        writer.takeWaiting(from: &waiting)
        return writer
    }

    private mutating func finish(
        _ writer: inout DecisionWriter, _ taken: Int, _ decisions: UnsafeMutablePointer<te_decisions>?
    ) {
        writer.leaveWaiting(in: &waiting)
        decisions?.pointee.count = writer.count
        decisions?.pointee.taken = taken
    }
}

extension Decision {
    /// Whether the fix has reached the motion states, so that later decisions may be about it.
    @inline(__always)
    fileprivate var hasReachedMotion: Bool {
        if case .reject(let reason) = self { reason.rawValue > RejectionReason.notInMotion.rawValue } else { true }
    }
}

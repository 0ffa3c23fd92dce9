import AllocationProbe

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// One of several ways to do the same work.
public struct Contender {
    /// How many units of work one run does; figures are per unit.
    public let units: Int
    /// Does the work once.
    public let run: () async throws -> Void

    /// A way to do `units` units of work.
    public init(units: Int, run: @escaping () async throws -> Void) {
        self.units = units
        self.run = run
    }
}

/// What a contender took, in nanoseconds per unit.
public struct Timing: Sendable {
    /// Of its best run: for work that only other programs can slow down.
    public let best: Double
    /// Of the run in the middle: for work that waits for a disk or another program.
    public let median: Double
    /// Of each run, in turn: a run of another contender with the same index was its neighbour.
    public let runs: [Double]
    /// Allocations per unit on the calling thread, in its last run; `nil` where they cannot be counted.
    public let allocations: Double?
}

/// Lets contenders run in turns (A, B, A, B …), so that whatever else happens on the machine hits all of them.
///
/// - Parameter rounds: how often each runs; one more run before is not counted.
public func race(rounds: Int, _ contenders: [Contender]) async throws -> [Timing] {
    var times = [[Double]](repeating: [], count: contenders.count)
    var allocations = [Double?](repeating: nil, count: contenders.count)
    for contender in contenders { try await contender.run() }
    for _ in 0..<rounds {
        for (index, contender) in contenders.enumerated() {
            allocation_probe_start()
            let start = nanoseconds()
            try await contender.run()
            let end = nanoseconds()
            let count = allocation_probe_count()
            allocation_probe_stop()
            times[index].append(Double(end - start) / Double(contender.units))
            allocations[index] = count < 0 ? nil : Double(count) / Double(contender.units)
        }
    }
    return zip(times, allocations).map { times, allocations in
        let sorted = times.sorted()
        return Timing(best: sorted[0], median: sorted[sorted.count / 2], runs: times, allocations: allocations)
    }
}

extension Timing {
    /// What both took in the round whose ratio is the middle one.
    ///
    /// For a disk that changes the price of a commit tenfold from one second to the next: the medians of two contenders may
    /// be of different moods, neighbours are of the same.
    public func middlePair(with other: Timing) -> (ours: Double, theirs: Double) {
        let pairs = zip(runs, other.runs).sorted { $0.0 * $1.1 < $1.0 * $0.1 }
        let pair = pairs[pairs.count / 2]
        return (ours: pair.0, theirs: pair.1)
    }
}

/// The monotonic clock.
public func nanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// Keeps the optimiser from leaving out work whose result nobody uses.
@inline(never)
public func keep<Value>(_ value: Value) {}

import Foundation
import TrackEngine
import TrackEngineSQLite

/// What a store does when a clock jumps while the fixes' own time is right.
///
/// It runs as a child process under the clock shim; see the hidden command `trial`.
package struct ClockTrial {
    /// Where the clocks go.
    package enum Jump: String, Sendable, CaseIterable {
        case dayAhead = "a-day-ahead"
        case dayBack = "a-day-back"
        case eightDays = "8-days-ahead"
        case thirtyDays = "30-days-ahead"
        case yearAhead = "370-days-ahead"
        case beginning = "1970"
        case afterOverflow = "2038"
        /// The machine slept for a day: the monotonic clock (CLOCK_MONOTONIC) stood still.
        case suspended = "asleep-for-a-day"
        /// It slept for 30 days, and nothing has moved its wall clock since.
        case suspendedWithoutClock = "asleep-for-30-days-without-a-clock"
        /// A virtual machine was halted: both clocks that cannot be set went on, the wall clock stood still.
        case halted = "halted-for-30-days"

        /// How far each clock jumps, in seconds.
        func offsets(from now: Timestamp) -> (wall: Int64, boot: Int64, monotonic: Int64) {
            let day: Int64 = 86_400
            let seconds = now.nanosecondsSince1970 / 1_000_000_000
            return switch self {
            case .dayAhead: (day, 0, 0)
            case .dayBack: (-day, 0, 0)
            case .eightDays: (8 * day, 0, 0)
            case .thirtyDays: (30 * day, 0, 0)
            case .yearAhead: (370 * day, 0, 0)
            case .beginning: (60 - seconds, 0, 0)
            case .afterOverflow: (2_147_483_647 + day - seconds, 0, 0)
            case .suspended: (day, day, 0)
            case .suspendedWithoutClock: (0, 30 * day, 0)
            case .halted: (0, 30 * day, 30 * day)
            }
        }
    }

    private let jump: Jump
    /// Whether the clocks jump before the store is opened anew, or while it is open.
    private let isWrongFromStart: Bool
    private let directory: String
    private let clockFile: String
    private let trueStart = Timestamp.now()
    /// By CLOCK_BOOTTIME, which the tracker's clock is.
    private let bootStart = ContinuousClock.now
    /// By CLOCK_MONOTONIC.
    private let monotonicStart = SuspendingClock.now
    /// What the tracker's housekeeping asks before it prunes.
    private var trust = ClockTrust()

    package init(_ jump: Jump, isWrongFromStart: Bool, directory: String, clockFile: String) {
        (self.jump, self.isWrongFromStart) = (jump, isWrongFromStart)
        (self.directory, self.clockFile) = (directory, clockFile)
    }

    /// Runs to the end; returns what did not hold.
    package mutating func run() async throws -> [String] {
        var store = try await open()
        try await append(1...300, to: store)
        if isWrongFromStart {
            await store.close()
            try turnClock()
            trust = ClockTrust()
            store = try await open()
        } else {
            try turnClock()
        }
        // A timer that the jump has stopped hangs the try, which its patience ends.
        try await Task.sleep(for: .milliseconds(20), clock: .continuous)  // as long as a timer of this clock
        try await Task.sleep(for: .milliseconds(20), clock: .suspending)  // and of this one
        for _ in 0..<3 { try await prune(store) }
        try await append(301...400, to: store)
        for _ in 0..<3 { try await prune(store) }
        var violations = try await look(at: store, "after the jump")
        try "0".write(toFile: clockFile, atomically: false, encoding: .utf8)
        try await prune(store)
        violations += try await look(at: store, "after the clocks were put right")
        violations += try await deliver(from: store)
        await store.close()
        return violations
    }

    private func open() async throws -> SQLiteFixStore {
        let store = try await StoreFolder.open(directory)
        try await store.configure(RetentionConfiguration(maxDaysToPersist: 7), sinks: ["a"])
        return store
    }

    /// Prunes as the tracker does, with a live source that has brought no fix yet.
    private mutating func prune(_ store: SQLiteFixStore) async throws {
        let now = Timestamp.now()
        let running = (ContinuousClock.now - bootStart).components
        let moment = TrackInstant(
            nanoseconds: running.seconds * 1_000_000_000 + running.attoseconds / 1_000_000_000)
        let isConfirmed = trust.confirms(now, at: moment, witnesses: [])
        try await store.prune(now: now, isClockConfirmed: isConfirmed)
    }

    private func turnClock() throws {
        let (wall, boot, monotonic) = jump.offsets(from: trueStart)
        try "\(wall) \(boot) \(monotonic)".write(toFile: clockFile, atomically: false, encoding: .utf8)
        // A shim that is not there would let everything pass.
        func isTurned(_ passed: Duration, by offset: Int64) -> Bool { abs(passed.components.seconds - offset) < 3_600 }
        guard isTurned(Timestamp.now().duration(since: trueStart), by: wall),
            isTurned(ContinuousClock.now - bootStart, by: boot),
            isTurned(SuspendingClock.now - monotonicStart, by: monotonic)
        else { throw NotRunnable("the clock shim does nothing") }
    }

    /// Records with the true time, which a receiver knows from the satellites.
    private func append(_ numbers: ClosedRange<Int>, to store: SQLiteFixStore) async throws {
        let drafts = numbers.map { number -> RecordDraft in
            let draft = WorkloadRecord.draft(number)
            let fix = Fix(time: trueStart.advanced(by: .seconds(number - 400)), coordinate: draft.fix.coordinate)
            return RecordDraft(id: draft.id, fix: fix, isMoving: true, cause: .distance, source: draft.source)
        }
        _ = try await store.append(drafts, checkpoint: nil)
    }

    private func look(at store: SQLiteFixStore, _ moment: String) async throws -> [String] {
        let status = try await store.status()
        guard status.count != 400 || status.dropped != 0 else { return [] }
        return ["\(moment) 400 undelivered records are \(status.count), \(status.dropped) dropped"]
    }

    private mutating func deliver(from store: SQLiteFixStore) async throws -> [String] {
        guard let batch = try await store.nextBatch(for: "a", limit: 1_000) else { return ["nothing is delivered"] }
        let places = batch.records.map(\.sequence)
        try await store.settle(Settlement(origin: batch.origin, records: batch.records, time: .now()), for: "a")
        try await prune(store)
        let left = try await store.status().count
        return (places == places.sorted() ? [] : ["delivered out of order"])
            + (left == 0 ? [] : ["\(left) records were not removed though they are delivered"])
    }
}

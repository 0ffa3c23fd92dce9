import Foundation
import Logging
import Synchronization
import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles
import TrackEngineSettings

@Suite("The plan, where files cannot be removed")
struct UnremovablePlanTests {
    private static let day0: Int64 = 1_700_000_000

    private static func file(_ index: Int, _ size: Int64) -> RetentionPlan.File {
        let start = Timestamp(secondsSince1970: day0 + Int64(index) * 3600)
        return RetentionPlan.File(name: "\(index)", start: start, modified: start, size: size)
    }

    /// Carries a plan out over files of which some stay whatever is done.
    ///
    /// - Returns: the files that go, and how often one was tried to no effect.
    private static func run(
        _ plan: inout RetentionPlan, over files: [RetentionPlan.File], stuck: Set<String>
    ) -> (gone: Set<String>, failures: [String: Int]) {
        var (gone, failures) = (Set<String>(), [String: Int]())
        func remove(_ file: RetentionPlan.File, by plan: inout RetentionPlan) {
            if stuck.contains(file.name) {
                failures[file.name, default: 0] += 1
                plan.keep(file)
            } else {
                gone.insert(file.name)
            }
        }
        repeat {
            for file in files where !gone.contains(file.name) {
                if plan.examine(file) != nil { remove(file, by: &plan) }
            }
            while let file = plan.nextRemoval() { remove(file, by: &plan) }
        } while plan.beginsAnotherPass()
        return (gone, failures)
    }

    @Test func `the next oldest go in their place, and each is tried once`() {
        var chance = SeededGenerator(seed: 5)
        for round in 0..<60 {
            let count = Int.random(in: 1...3000, using: &chance)
            let sorted = (0..<count).map { Self.file($0, .random(in: 1...1000, using: &chance)) }
            let files = sorted.shuffled(using: &chance)
            let share = Double.random(in: 0...0.6, using: &chance)
            let stuck = Set(files.filter { _ in .random(in: 0..<1, using: &chance) < share }.map(\.name))
            let total = files.reduce(0) { $0 + $1.size }
            let limit = Int64.random(in: 0...total, using: &chance)
            var plan = RetentionPlan(
                newest: Timestamp(secondsSince1970: Self.day0), maximumAge: nil, maximumBytes: limit, partSize: 7)
            let (gone, failures) = Self.run(&plan, over: files, stuck: stuck)
            var rest = total + 7
            for file in sorted where !stuck.contains(file.name) {
                #expect(gone.contains(file.name) == (rest > limit), "round \(round), \(file)")
                if rest > limit { rest -= file.size }
            }
            #expect(plan.count == count - gone.count && plan.bytes == rest - 7, "round \(round)")
            #expect(failures.values.allSatisfy { $0 == 1 }, "round \(round)")
        }
    }

    @Test func `one that is too old and stays counts, and is tried once`() {
        let files = (0..<1000).map { Self.file($0, 10) }
        var plan = RetentionPlan(
            newest: Timestamp(secondsSince1970: Self.day0 + 1000 * 3600), maximumAge: .seconds(990 * 3600),
            maximumBytes: 1000, partSize: 0)
        let (gone, failures) = Self.run(&plan, over: files, stuck: ["3", "500"])
        #expect(gone == Set((0..<902).map { "\($0)" }).subtracting(["3", "500"]))
        #expect(failures == ["3": 1, "500": 1])
        #expect(plan.count == 100 && plan.bytes == 1000)
    }

    @Test func `where nothing can be removed a round ends`() {
        let files = (0..<20_000).map { Self.file($0, 10) }
        var plan = RetentionPlan(
            newest: Timestamp(secondsSince1970: Self.day0), maximumAge: nil, maximumBytes: 199_990, partSize: 0)
        let (gone, failures) = Self.run(&plan, over: files, stuck: Set(files.map(\.name)))
        #expect(gone.isEmpty && plan.count == 20_000 && plan.passes == RetentionPlan.maximumPasses)
        #expect(failures.count == RetentionPlan.maximumPasses * RetentionPlan.memory)
    }
}

@Suite("Old files that cannot be removed")
struct UnremovableTests {
    /// Each delivery of a new sink has two rounds, one before anything is written and one behind it.
    @Test(arguments: [(2, Int64(0), [0, 5]), (0, 65_536, [0])])
    func `do not keep others from going, and the status names them`(
        _ keepDays: Int, _ maxBytes: Int64, _ failures: [Int]
    ) async throws {
        try await withArchive { directory in
            let log = RecordingLog()
            let steps = CountedSteps(failing: .remove) { failures.contains($0) }
            let sink = try sink(in: directory, keepDays, maxBytes, logger: log.logger, steps)
            _ = try await sink.deliver(Samples.batch([0]))
            let old = directory.names.filter { $0.contains("-01-") }
            // By bytes the oldest one is tried first, by age the one that the directory names first.
            #expect(maxBytes == 0 ? old.count == 1 : old == ["10", "13", "14"].map { "track_2026-01-\($0).csv" })
            let items = sink.statusItems(now: .now())
            let item = try #require(items.first { $0.name == "unremovableFile" })
            #expect(item.value == .text(old[0]) && item.text == "not permitted" && item.tone == .warning)
            #expect(items.first { $0.name == "keptFiles" }?.value == .count(old.count))
            #expect(items.first { $0.name == "removedFiles" }?.value == .count(5 - old.count))
            let line = log.lines.first { $0.message == "old files cannot be removed" }
            #expect(line?.metadata["file"] == old[0] && line?.metadata["files"] == "1")
            await sink.close()
        }
    }

    @Test func `go in a later round, and are named no more`() async throws {
        try await withArchive { directory in
            let sink = try sink(in: directory, 2, 0, CountedSteps(failing: .remove) { [0, 5].contains($0) })
            _ = try await sink.deliver(Samples.batch([0]))
            #expect(sink.unremovable != nil)
            _ = try await sink.deliver(Samples.batch([86_400]))
            #expect(directory.names == ["track_2026-03-01.csv", "track_2026-03-02.csv.part"])
            #expect(sink.unremovable == nil)
            await sink.close()
        }
    }

    @Test func `are named no more once somebody else has removed them`() async throws {
        try await withArchive { directory in
            let sink = try sink(in: directory, 0, 65_536, CountedSteps(failing: .remove) { $0 == 0 })
            _ = try await sink.deliver(Samples.batch([0]))
            #expect(sink.unremovable != nil)
            try FileManager.default.removeItem(atPath: directory.path + "/track_2026-01-10.csv")
            _ = try await sink.deliver(Samples.batch([86_400]))
            #expect(sink.unremovable == nil)
            await sink.close()
        }
    }

    /// The looks of a start are for two temporary files and the state, then for the five old files.
    @Test(arguments: [([3, 4], 0), ([3, 8], 1)] as [([Int], Int)])
    func `that cannot be looked up do not keep others from going either`(_ looks: [Int], _ rest: Int) async throws {
        try await withArchive { directory in
            let sink = try sink(in: directory, 2, 0, CountedSteps(failing: .look) { looks.contains($0) })
            _ = try await sink.deliver(Samples.batch([0]))
            #expect(directory.names.filter { $0.contains("-01-") }.count == rest)
            #expect((sink.unremovable != nil) == (rest > 0))
            await sink.close()
        }
    }

    @Test func `are not tried again with every delivery`() async throws {
        try await withArchive { directory in
            let steps = CountedSteps(failing: .remove) { _ in true }
            let sink = try sink(in: directory, 0, 65_536, steps)
            _ = try await sink.deliver(Samples.batch([0]))
            let tried = steps.count(of: .remove)
            #expect(tried == 10)  // the five files at the start, and again behind the first records
            for second in 1..<20 { _ = try await sink.deliver(Samples.batch([second])) }
            #expect(steps.count(of: .remove) == tried)
            _ = try await sink.deliver(Samples.batch([86_400]))
            #expect(steps.count(of: .remove) == tried + 6)
            expectMessage(sink.unremovable?.text)
            await sink.close()
        }
    }

    /// Five files of 20 000 bytes each.
    private func withArchive(_ body: (Directory) async throws -> Void) async throws {
        try await withDirectory { directory in
            try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: false)
            for day in 10..<15 {
                try directory.write(String(repeating: " ", count: 20_000), to: "track_2026-01-\(day).csv")
            }
            try await body(directory)
        }
    }

    private func sink(
        in directory: Directory, _ keepDays: Int, _ maxBytes: Int64, logger: Logger = Samples.silentLogger,
        _ steps: CountedSteps
    ) throws -> FileSink {
        try Samples.sink(
            in: directory.path, .csv, .day,
            {
                $0.keepDays = keepDays
                $0.maxBytes = maxBytes
            }, logger: logger, probe: steps.probe)
    }
}

extension FileSink {
    fileprivate var unremovable: StatusField? { statusItems(now: .now()).first { $0.name == "unremovableFile" } }
}

/// Counts the steps and lets some of a kind fail, by their numbers among their kind.
private final class CountedSteps: Sendable {
    private let failing: FileStep
    private let isFailing: @Sendable (Int) -> Bool
    private let counts = Mutex<[FileStep: Int]>([:])

    init(failing: FileStep, at isFailing: @escaping @Sendable (Int) -> Bool) {
        self.failing = failing
        self.isFailing = isFailing
    }

    func count(of step: FileStep) -> Int { counts.withLock { $0[step] ?? 0 } }

    var probe: FileProbe {
        { (step) throws(FileFailure) in
            let number = self.counts.withLock { counts in
                defer { counts[step, default: 0] += 1 }
                return counts[step] ?? 0
            }
            if step == self.failing, self.isFailing(number) { throw FileFailure("not permitted") }
        }
    }
}

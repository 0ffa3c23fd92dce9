import Foundation
import Synchronization
import Testing
import TrackEngine
import TrackEngineFiles

/// Every step that the sink takes on the disk fails once, or is the last of its process.
@Suite("Whatever step fails", .timeLimit(.minutes(30)))
struct FailureTests {
    /// A way through rotation, finishing and retention.
    private struct Way: CustomTestStringConvertible {
        let format: TrackFormat
        let gzip: Bool

        var testDescription: String { "\(format)\(gzip ? ".gz" : "")" }

        /// Batches over three hours: within a file, over the end of one, and over a whole one.
        static let batches: [[Int]] = [[0, 1], [2, 3], [3599, 3600], [3601], [3602, 7200, 10_800], [10_801]]
        static let all = batches.flatMap(\.self)

        func sink(in directory: Directory, probe: @escaping FileProbe) throws -> FileSink {
            try Samples.sink(in: directory.path, format, .hour, { $0.gzip = gzip }, probe: probe)
        }
    }

    /// The two formats whose documents have an ending, and one that has none.
    private static let ways = [
        Way(format: .gpx, gzip: false), Way(format: .gpx, gzip: true), Way(format: .geojson, gzip: false),
        Way(format: .csv, gzip: true),
    ]

    @Test(arguments: ways)
    private func `a process that ends there leaves every record exactly once`(_ way: Way) async throws {
        let count = try await steps(of: way)
        #expect(count > 60)
        for step in 0..<count {
            try await withDirectoryInMemory { directory in
                let fault = Fault(from: step, to: .max)
                try await deliver(way, in: directory, fault) { sink in
                    await sink.close()
                    return try way.sink(in: directory) { (_) throws(FileFailure) in }
                }
                #expect(fault.hasStruck)
                try check(way, directory, "step \(step), \(fault.struck)")
            }
        }
    }

    @Test(arguments: ways)
    private func `a sink that goes on after it writes every record exactly once`(_ way: Way) async throws {
        for step in 0..<(try await steps(of: way)) {
            try await withDirectoryInMemory { directory in
                let fault = Fault(from: step, to: step)
                try await deliver(way, in: directory, fault) { $0 }
                try check(way, directory, "step \(step), \(fault.struck)")
            }
        }
    }

    @Test func `a second failure, in the midst of the recovery from the first, changes nothing`() async throws {
        let way = Way(format: .gpx, gzip: true)
        for step in 0..<(try await steps(of: way)) {
            try await withDirectoryInMemory { directory in
                let fault = Fault(at: [step, step + 1 + step % 7])
                let probe: FileProbe = { (step) throws(FileFailure) in try fault.strike(step) }
                try await deliver(way, in: directory, fault) { sink in
                    await sink.close()
                    return try way.sink(in: directory, probe: probe)
                }
                try check(way, directory, "step \(step), \(fault.struck), and a later one")
            }
        }
    }

    /// How many steps the whole way takes when nothing fails.
    private func steps(of way: Way) async throws -> Int {
        let fault = Fault(from: .max, to: .max)
        try await withDirectoryInMemory { directory in
            try await deliver(way, in: directory, fault) { $0 }
            try check(way, directory, "without a fault")
        }
        return fault.count
    }

    /// Delivers as a drain does: what is not settled again, from the first record on.
    private func deliver(
        _ way: Way, in directory: Directory, _ fault: Fault, next: (FileSink) async throws -> FileSink
    ) async throws {
        var sink = try way.sink(in: directory) { (step) throws(FileFailure) in try fault.strike(step) }
        for seconds in Way.batches {
            var rest = seconds
            var attempts = 0
            while !rest.isEmpty {
                attempts += 1
                try #require(attempts < 5)
                do throws(DeliveryError) {
                    rest.removeFirst(try await sink.deliver(Samples.batch(rest)).settled)
                } catch {
                    #expect(error.recovery == .retry())
                }
                if !rest.isEmpty { sink = try await next(sink) }
            }
        }
        await sink.close()
    }

    private func check(_ way: Way, _ directory: Directory, _ comment: String) throws {
        let end = way.gzip ? "\(way.format).gz" : "\(way.format)"
        let names =
            ["10", "11", "12"].map { "track_2026-03-01T\($0)Z.\(end)" } + ["track_2026-03-01T13Z.\(way.format).part"]
        #expect(directory.names == names, "\(comment)")
        #expect(try directory.seconds() == Way.all, "\(comment)")
    }
}

/// Lets some steps fail.
private final class Fault: Sendable {
    private let first: Int
    private let isFaulty: @Sendable (Int) -> Bool
    private let seen = Mutex<[FileStep]>([])

    init(from first: Int, to last: Int) {
        self.first = first
        isFaulty = { (first...last).contains($0) }
    }

    init(at steps: Set<Int>) {
        first = steps.min() ?? .max
        isFaulty = steps.contains
    }

    var count: Int { seen.withLock { $0.count } }
    var hasStruck: Bool { count > first }
    /// The step that was the first to fail.
    var struck: String { seen.withLock { $0.count > first ? "\($0[first])" : "none" } }

    func strike(_ step: FileStep) throws(FileFailure) {
        let number = seen.withLock { seen in
            seen.append(step)
            return seen.count - 1
        }
        if isFaulty(number) { throw FileFailure("no space left on device") }
    }
}

@Suite("The order of the steps")
struct StepOrderTests {
    @Test func `records are on the disk before the state is, and the state before they are confirmed`() async throws {
        try await withDirectory { directory in
            let steps = Mutex<[FileStep]>([])
            let sink = try Samples.sink(
                in: directory.path, probe: { step throws(FileFailure) in steps.withLock { $0.append(step) } })
            _ = try await sink.deliver(Samples.batch([0]))
            steps.withLock { $0 = [] }
            _ = try await sink.deliver(Samples.batch([1]))
            #expect(
                steps.withLock { $0 } == [
                    .write, .truncate, .sync, .writeState, .write, .truncate, .sync, .replaceState, .syncDirectory,
                ])
            await sink.close()
        }
    }

    @Test func `a file is compressed and on the disk before it has its name, and goes only then`() async throws {
        try await withDirectory { directory in
            let steps = Mutex<[FileStep]>([])
            let sink = try Samples.sink(
                in: directory.path, .ndjson, .hour, { $0.gzip = true },
                probe: { step throws(FileFailure) in steps.withLock { $0.append(step) } })
            _ = try await sink.deliver(Samples.batch([0]))
            steps.withLock { $0 = [] }
            _ = try await sink.deliver(Samples.batch([3600]))
            // In how many pieces the compressed bytes are written is zlib's affair.
            let seen = steps.withLock { $0.filter { $0 != .write && $0 != .truncate && $0 != .look } }
            let state: [FileStep] = [.writeState, .sync, .replaceState, .syncDirectory]
            #expect(Array(seen.prefix(13)) == state + [.compress, .sync, .rename, .syncDirectory, .remove] + state)
            await sink.close()
        }
    }
}

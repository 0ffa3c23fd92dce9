import Foundation
import Logging
import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles
import TrackEngineSQLite
import TrackEngineTestKit

/// A recorded file goes into a store once.
@Suite(.timeLimit(.minutes(30))) struct RecordingTests {
    /// Ten kilometres to the north in a thousand seconds, from a second and a longitude on.
    private static func track(_ folder: String, name: String = "track.csv", from second: Int = 0) throws -> String {
        let rows = (0..<1000).map { row in
            "\(1_772_359_200 + second + row),\(0.5 + Double(row) * 9.04e-5),\(10 + second / 1000)\n"
        }
        let path = "\(folder)/\(name)"
        try Data(("time,lat,lon\n" + rows.joined()).utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    private static func stores(_ folder: String) async throws -> [any FixStore] {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        return [
            InMemoryFixStore(),
            try await SQLiteFixStore.open(configuration: .init(directory: folder + "/store"), logger: logger),
        ]
    }

    private static func tracker(_ store: any FixStore, _ source: any FixSource) throws -> Tracker {
        try Tracker.make(store: store, sources: [source]) {
            $0.wallClock = { Timestamp(secondsSince1970: 1_772_400_000) }
        }
    }

    private static func replay(_ path: String, into store: any FixStore, again: Bool = false) async throws
        -> SourceReport?
    {
        let source = try ReplaySource(configuration: .init(path: path, startsOver: again))
        let tracker = try tracker(store, source)
        try await tracker.run(until: .sourcesFinished)
        return await tracker.status().sources.first
    }

    private static func withStores(_ body: (any FixStore, String) async throws -> Void) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            for store in try await stores(folder) {
                try await body(store, folder)
                await store.close()
            }
        }
    }

    @Test func `a file that was replayed to its end adds nothing, wherever it lies now`() async throws {
        try await Self.withStores { store, folder in
            let path = try Self.track(folder)
            _ = try await Self.replay(path, into: store)
            let (count, odometers) = (try await store.status().count, try await store.odometers())
            #expect(count > 100)
            let report = try #require(try await Self.replay(path, into: store))
            #expect(report.rejected[.backwardTime] == nil)
            #expect(report.status == .finished)
            let moved = folder + "/moved.csv"
            try FileManager.default.copyItem(atPath: path, toPath: moved)
            _ = try await Self.replay(moved, into: store)
            #expect(try await store.status().count == count)
            #expect(try await store.odometers() == odometers)
            try FileManager.default.removeItem(atPath: moved)
        }
    }

    @Test(arguments: [false, true])
    func `a replay that was interrupted goes on after its last record`(_ isCrash: Bool) async throws {
        try await Self.withStores { store, folder in
            let path = try Self.track(folder)
            let whole = InMemoryFixStore()
            _ = try await Self.replay(path, into: whole)
            let expected = try await whole.records(after: .zero, limit: 10_000).map(\.id)
            for stop in [1, 40, 90] {
                let source = try ReplaySource(configuration: .init(path: path, pace: .speed(2_000)))
                let tracker = try Self.tracker(store, source)
                let run = Task { try await tracker.run() }  // ended below, in the middle of the file
                await eventually("\(stop) records") { ((try? await store.status().count) ?? 0) >= stop }
                if isCrash { run.cancel() } else { await tracker.stop() }
                try await run.value
            }
            let report = try #require(try await Self.replay(path, into: store))
            #expect(try await store.records(after: .zero, limit: 10_000).map(\.id) == expected)
            #expect(report.rejected[.backwardTime] == nil)
        }
    }

    @Test func `another file under the same name of source is another track, older or not`() async throws {
        try await Self.withStores { store, folder in
            _ = try await Self.replay(try Self.track(folder, from: 5_000), into: store)
            let count = try await store.status().count
            _ = try await Self.replay(try Self.track(folder, name: "older.csv"), into: store)
            #expect(try await store.status().count == 2 * count)
        }
    }

    @Test func `a file that was put before a remembered one is taken, after another file in between`() async throws {
        try await Self.withStores { store, folder in
            let first = try Self.track(folder, name: "first.csv")
            let second = try Self.track(folder, name: "second.csv", from: 5_000)
            let other = try Self.track(folder, name: "other.csv", from: 10_000)
            for path in [second, other] { _ = try await Self.replay(path, into: store) }
            let rows = try String(contentsOfFile: second, encoding: .utf8).drop { $0 != "\n" }.dropFirst()
            let merged = try String(contentsOfFile: first, encoding: .utf8) + rows
            try Data(merged.utf8).write(to: URL(fileURLWithPath: folder + "/merged.csv"))
            _ = try await Self.replay(folder + "/merged.csv", into: store)
            let whole = InMemoryFixStore()
            _ = try await Self.replay(first, into: whole)
            let expected = try await whole.records(after: .zero, limit: 10_000).map(\.id)
            #expect(expected.count > 100)
            let stored = try await store.records(after: .zero, limit: 10_000).map(\.id)
            #expect(Set(stored).isSuperset(of: expected))
        }
    }

    /// A row between two others, which a filter cannot know to be wrong: dated four days ahead, or far away.
    private static let wildRows = ["\(1_772_359_200 + 500 + 345_600),0.55,10\n", "1772359700,40,40\n"]

    @Test(arguments: wildRows)
    func `a recording that stopped behind a wild fix goes on as if it had not stopped`(_ row: String) async throws {
        try await Self.withStores { store, folder in
            let rows = try String(contentsOfFile: Self.track(folder), encoding: .utf8).split(separator: "\n")
            let (head, tail) = (rows[...500].joined(separator: "\n") + "\n" + row, rows[501...].joined(separator: "\n"))
            var configuration = RecordingConfiguration()
            configuration.maximumSpeed = 60
            func replay(_ text: String, into store: any FixStore) async throws {
                let path = folder + "/wild.csv"
                try Data(text.utf8).write(to: URL(fileURLWithPath: path))
                let source = try ReplaySource(configuration: .init(path: path))
                let tracker = try Tracker.make(store: store, sources: [source]) {
                    $0.recording = configuration
                    $0.wallClock = { Timestamp(secondsSince1970: 1_772_400_000) }
                }
                try await tracker.run(until: .sourcesFinished)
            }
            let whole = InMemoryFixStore()
            try await replay(head + tail, into: whole)
            try await replay(head, into: store)
            try await replay(head + tail, into: store)
            let expected = try await whole.records(after: .zero, limit: 10_000).map(\.id)
            #expect(expected.count > 100)
            #expect(try await store.records(after: .zero, limit: 10_000).map(\.id) == expected)
        }
    }

    @Test func `who asks for it gets the file again`() async throws {
        try await Self.withStores { store, folder in
            let path = try Self.track(folder)
            _ = try await Self.replay(path, into: store)
            let count = try await store.status().count
            _ = try await Self.replay(path, into: store, again: true)
            #expect(try await store.status().count == 2 * count)
        }
    }

    @Test func `the agent replays its files once, and with --again once more`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let path = try Self.track(folder)
            let later = try Self.track(folder, name: "later.csv", from: 5_000)
            let yaml = """
                sources: [{type: replay, path: [\(path), \(later)], speed: max}]
                store: {maxDaysToPersist: 0}

                """
            var counts: [Int] = []
            for arguments in [[], [], ["--again"]] {
                let agent = try RunningAgent(folder, yaml, arguments: arguments)
                await agent.prints("source replay: finished")
                agent.child.send(SIGTERM)
                #expect(await agent.end() == 0)
                let records = try await agent.trackd("export", "--format", "ndjson").text
                counts.append(records.split(separator: "\n").count)
            }
            #expect(counts[0] > 200)
            #expect(counts[1] == counts[0])
            #expect(counts[2] == 2 * counts[0])
        }
    }

    @Test func `the agent warns of files in front of the one with the last record, and of no others`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let paths = try (0..<3).map { try Self.track(folder, name: "\($0).csv", from: $0 * 5_000) }
            let warning = "the last record is of a later file, earlier files are passed over"
            var printed: [String] = []
            // The third begins afresh, since it does not have the last record; the fourth has it in its first file.
            for list in [[paths[2]], paths, [paths[0]], [paths[0], paths[1]]] {
                let yaml = """
                    sources: [{type: replay, path: [\(list.joined(separator: ", "))], speed: max}]
                    store: {maxDaysToPersist: 0}

                    """
                let agent = try RunningAgent(folder, yaml)
                await agent.prints("source replay: finished")
                agent.child.send(SIGTERM)
                #expect(await agent.end() == 0)
                printed.append(agent.child.text)
            }
            #expect(printed.map { $0.contains(warning) } == [false, true, false, false], "\(printed)")
            #expect(printed[1].contains("files=2"), "\(printed[1])")
        }
    }
}

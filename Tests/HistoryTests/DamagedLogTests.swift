import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory

/// The write-ahead log that a kill leaves: SQLite ignores all of it after the first damaged frame.
@Suite("A history with a damaged log", .timeLimit(.minutes(15)))
struct DamagedLogTests {
    private static let whole = Samples.seconds(-1_000_000..<100_000_000)
    private static let commits = 20
    /// The points of a commit: more than a page has, so that a commit has more than one frame.
    private static let points = 100
    /// A frame: its header and a page.
    private static let frame = 24 + 4_096

    /// A history as a kill leaves it after some commits.
    private static func makeKilled(_ directory: String, _ key: StoreKey?) async throws {
        let open = directory + "-open"
        let history = try await TrackHistory.open(directory: open, key: key)
        for commit in 0..<commits {
            let points = (0..<Self.points).map {
                Samples.point(Double(commit * Self.points + $0), north: Double($0), senderID: .text("\(commit)-\($0)"))
            }
            _ = try await history.add(points, of: Samples.device)
        }
        try FileManager.default.copyItem(atPath: open, toPath: directory)
        await history.close()
    }

    private static func withKilled(
        _ body: (_ directory: String, _ key: StoreKey?) async throws -> Void
    ) async throws {
        for key in [nil, Samples.key] {
            try await TestEnvironment.withTemporaryDirectory { parent in
                try await makeKilled(parent + "/history", key)
                try await body(parent + "/history", key)
            }
        }
    }

    private static func change(_ directory: String, _ body: (inout Data) -> Void) throws {
        let url = URL(fileURLWithPath: directory + "/history.sqlite-wal")
        var data = try Data(contentsOf: url)
        body(&data)
        try data.write(to: url)
    }

    private static func damageMiddle(_ directory: String) throws {
        try change(directory) { $0[32 + $0.count / frame / 2 * frame + 1_000] ^= 4 }
    }

    private static func count(_ history: TrackHistory) async throws -> Int {
        try await history.points(of: Samples.device, during: whole, limit: .max).count
    }

    @Test func `A log with commits after damage is kept, and the status names it`() async throws {
        try await Self.withKilled { directory, key in
            try Self.damageMiddle(directory)
            let log = try Data(contentsOf: URL(fileURLWithPath: directory + "/history.sqlite-wal"))
            var history = try await TrackHistory.open(directory: directory, key: key)
            #expect(try await Self.count(history) < Self.commits * Self.points)
            #expect(history.health.statusItems.map(\.name) == ["damaged", "copy"])
            let copy = directory + "/history.sqlite.damaged"
            #expect(history.health.damagedCopies == [copy])
            #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == log)
            let mode = try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            #expect(try await history.add([Samples.point(5_000)], of: Samples.device).added == 1)
            let count = try await Self.count(history)
            // A kill now leaves no damaged frames.
            try FileManager.default.copyItem(atPath: directory, toPath: directory + "-again")
            await history.close()
            history = try await TrackHistory.open(directory: directory + "-again", key: key)
            #expect(try await Self.count(history) == count)
            #expect(history.health.statusItems.map(\.name) == ["copy"])
            #expect(history.health.damagedCopies.count == 1)
            _ = try await history.remove(Samples.device, during: Self.whole)
            #expect(history.health.damagedCopies.isEmpty)
            await history.close()
        }
    }

    @Test func `A kill after the log is kept makes no second copy`() async throws {
        try await Self.withKilled { directory, key in
            try Self.damageMiddle(directory)
            var environment = HistoryEnvironment()
            environment.didTake = { step throws(StoreError) in
                if step == .setAside { throw StoreError(.inputOutput, "killed") }
            }
            await #expect {
                try await TrackHistory.open(directory: directory, key: key, environment: environment)
            } throws: { ($0 as? StoreError)?.code == .inputOutput }
            let history = try await TrackHistory.open(directory: directory, key: key)
            #expect(history.health.damagedCopies.count == 1)
            #expect(history.health.statusItems.map(\.name) == ["damaged", "copy"])
            await history.close()
        }
    }

    @Test func `A damaged log for whose copy there is no room is left as it is`() async throws {
        try await Self.withKilled { directory, key in
            try Self.damageMiddle(directory)
            let log = try Data(contentsOf: URL(fileURLWithPath: directory + "/history.sqlite-wal"))
            var environment = HistoryEnvironment()
            environment.roomForSalvage = { _ in 0 }
            await #expect {
                try await TrackHistory.open(directory: directory, key: key, environment: environment)
            } throws: { ($0 as? StoreError)?.code == .damaged }
            #expect(try Data(contentsOf: URL(fileURLWithPath: directory + "/history.sqlite-wal")) == log)
        }
    }

    /// The ends of a log after a power cut: the last commit was not synchronised, so no part of it was answered.
    private enum Tail: CaseIterable {
        case cutInFrame, cutAfterFrame, zeros, zeroPage, older, noCommit

        func damage(_ data: inout Data) {
            let frame = DamagedLogTests.frame
            let last = data.count - frame
            switch self {
            case .cutInFrame: data.removeLast(1_000)
            case .cutAfterFrame: data.removeLast(frame)
            case .zeros: data.replaceSubrange(last..., with: Data(count: frame))
            // A frame's header has reached the disk, and its page has not.
            case .zeroPage:
                let page = DamagedLogTests.firstOfLastCommit(data) + 24
                data.replaceSubrange(page..<page + 4_096, with: Data(count: 4_096))
            // The salt of a frame that an earlier use of the file has left (SQLite file format, section 4.1): the later
            // frames of the commit have reached the disk before this one.
            case .older: data[DamagedLogTests.firstOfLastCommit(data) + 11] ^= 1
            case .noCommit: data.replaceSubrange(last + 4..<last + 8, with: Data(count: 4))
            }
        }
    }

    /// The offset of the first frame of the last commit, which has more than one. The size of the database is in the
    /// last frame of a commit alone.
    private static func firstOfLastCommit(_ data: Data) -> Int {
        var start = data.count - frame
        while data[start - frame + 4..<start - frame + 8].allSatisfy({ $0 == 0 }) { start -= frame }
        #expect(start < data.count - frame)
        return start
    }

    @Test func `A damaged end of the commit before the last one is damage`() async throws {
        try await Self.withKilled { directory, key in
            try Self.change(directory) { $0[Self.firstOfLastCommit($0) - 1_000] ^= 1 }
            let history = try await TrackHistory.open(directory: directory, key: key)
            #expect(history.health.statusItems.map(\.name) == ["damaged", "copy"])
            await history.close()
        }
    }

    @Test func `A commit that a power cut has interrupted is no damage`() async throws {
        for tail in Tail.allCases {
            try await Self.withKilled { directory, key in
                try Self.change(directory, tail.damage)
                let history = try await TrackHistory.open(directory: directory, key: key)
                #expect(try await Self.count(history) == (Self.commits - 1) * Self.points, "\(tail)")
                #expect(history.health.statusItems.isEmpty, "\(tail)")
                await history.close()
            }
        }
    }
}

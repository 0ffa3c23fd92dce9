import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory

@Suite("Killing a process that has a history open", .serialized)
struct KillTests {
    /// Four senders, each of which repeats its last batch now and then, until the process kills itself in the middle of it. What
    /// was answered is noted in a file of each sender's.
    @Test(arguments: [false, true])
    func `What was answered is there, once, and the rest may come again`(_ isEncrypted: Bool) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            for round in 0..<4 {
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [directory = directory as String, round = round as Int, isEncrypted = isEncrypted as Bool] in
                    let history = try await TrackHistory.open(
                        directory: directory + "/history", key: isEncrypted ? Samples.key : nil)
                    Thread.detachNewThread {
                        usleep(UInt32(50_000 + 37_000 * round))  // a moment within the work, a different one each round
                        kill(getpid(), SIGKILL)
                    }
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for sender in 0..<4 {
                            group.addTask { try await KillTests.send(from: sender, to: history, notes: directory) }
                        }
                        try await group.waitForAll()
                    }
                }
                try await examine(directory, isEncrypted ? Samples.key : nil)
            }
        }
    }

    /// Adds ten points at a time for ever, going on after those that were noted.
    private static func send(from sender: Int, to history: TrackHistory, notes directory: String) async throws {
        let notes = directory + "/answered-\(sender)"
        let descriptor = open(notes, O_CREAT | O_WRONLY | O_APPEND, 0o600)
        var batch = answered(notes)
        while true {
            for _ in 0...(batch % 3 == 0 ? 1 : 0) {
                _ = try await history.add(points(batch), of: DeviceID(rawValue: "device-\(sender)"))
            }
            let line = Array("\(batch)\n".utf8)
            _ = write(descriptor, line, line.count)
            batch += 1
        }
    }

    private static func points(_ batch: Int) -> [HistoryPoint] {
        (0..<10).map {
            Samples.point(Double(batch * 10 + $0), senderID: batch % 2 == 0 ? .text("\(batch)-\($0)") : nil)
        }
    }

    /// How many batches were answered.
    private static func answered(_ notes: String) -> Int {
        let text = (try? String(contentsOfFile: notes, encoding: .utf8)) ?? ""  // none yet
        return text.split(separator: "\n").count
    }

    private func examine(_ directory: String, _ key: StoreKey?) async throws {
        let history = try await TrackHistory.open(directory: directory + "/history", key: key)
        for sender in 0..<4 {
            let device = DeviceID(rawValue: "device-\(sender)")
            let count = Self.answered(directory + "/answered-\(sender)")
            let whole = Samples.seconds(0..<10_000_000)
            let points = try await history.points(of: device, during: whole, limit: .max)
            // One batch more may have been committed when the kill came before its note.
            #expect([count * 10, count * 10 + 10].contains(points.count))
            #expect(points.map(\.fix.time) == (0..<points.count).map { Samples.point(Double($0)).fix.time })
            #expect(
                try await history.summary(of: device, during: whole)?.count == (points.isEmpty ? nil : points.count))
        }
        await history.close()
    }

    /// A moment within the work, a different one each round; the last rounds come to its end.
    @Test func `A history whose encryption is killed is whole, and encrypted by the next opening`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let points = (0..<3_000).map { Samples.point(Double($0), north: Double($0)).kept }
            let plain = try await TrackHistory.open(directory: directory)
            _ = try await plain.add(points, of: Samples.device)
            await plain.close()
            for round in 0..<6 {
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [directory = directory as String, round = round as Int] in
                    Thread.detachNewThread {
                        usleep(UInt32(3_000 << round))  // a moment within the change, a later one each round
                        kill(getpid(), SIGKILL)
                    }
                    await (try TrackHistory.open(directory: directory, key: Samples.key)).close()
                    kill(getpid(), SIGKILL)
                }
                let history = try await TrackHistory.open(directory: directory, key: Samples.key)
                let found = try await history.points(
                    of: Samples.device, during: Samples.seconds(0..<9_999), limit: .max)
                #expect(found == points)
                await history.close()
                try await EncryptedHistory(directory: directory).decrypt(with: Samples.key)
            }
        }
    }
}

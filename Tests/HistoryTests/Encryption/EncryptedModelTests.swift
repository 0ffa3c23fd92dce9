import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory
import TrackEngineTestKit

/// A history in plain is the model of an encrypted one.
@Suite("An encrypted history beside one in plain")
struct EncryptedModelTests {
    private static let devices: [DeviceID] = ["bicycle", "Änne's van", "a"]

    /// A drive with names, repetitions, points that come again with another name, and several of one time.
    private static func additions(using random: inout SeededGenerator) -> [(DeviceID, [HistoryPoint])] {
        var points = Samples.drive(1_500, every: 7, using: &random)
        for index in points.indices {
            switch Int.random(in: 0..<8, using: &random) {
            case 0: points[index].senderID = .text("message \(Int.random(in: 0..<400, using: &random))")
            case 1: points[index].senderID = .record(RecordID(rawValue: UInt128(index) * 77_777_777))
            case 2: points[index].source = ["gpsd", "overland", "OwnTracks"].randomElement(using: &random)
            case 3:
                let other = points.randomElement(using: &random)?.fix.coordinate ?? points[index].fix.coordinate
                points[index].fix = Fix(time: points[index == 0 ? 0 : index - 1].fix.time, coordinate: other)
            case 4: points[index].host = HostStatus(batteryLevel: 0.5, batteryState: .unplugged)
            case 5: points[index].isMoving = Bool.random(using: &random)
            case _: break
            }
        }
        points += points.filter { _ in Int.random(in: 0..<10, using: &random) == 0 }.map {
            HistoryPoint(fix: $0.fix, senderID: .text("again \(Int.random(in: 0..<40, using: &random))"))
        }
        points.shuffle(using: &random)
        return stride(from: 0, to: points.count, by: 100).map { start in
            (devices.randomElement(using: &random) ?? "a", Array(points[start...].prefix(100)))
        }
    }

    /// What is asked of both.
    private static func answers(_ history: TrackHistory, using random: inout SeededGenerator) async throws -> [String] {
        var answers = try await history.devices().map { "\($0)" }
        for device in devices {
            for _ in 0..<6 {
                let begin = Int.random(in: -500..<12_000, using: &random)
                let times = Samples.seconds(begin..<begin + Int.random(in: 1..<12_000, using: &random))
                let limit = Int.random(in: 0..<700, using: &random)
                answers.append("\(try await history.points(of: device, during: times, limit: limit))")
                let drawing = try await history.drawing(
                    of: device, during: times, zoom: Int.random(in: 0...20, using: &random))
                answers.append("\(drawing)")
                let tolerance = [0.5, 3, 80][Int.random(in: 0..<3, using: &random)]
                answers.append("\(try await history.path(of: device, during: times, within: tolerance))")
                answers.append("\(String(describing: try await history.summary(of: device, during: times)))")
            }
        }
        return answers
    }

    @Test(arguments: 1...4)
    func `Whatever is added, asked and removed, both say the same`(_ seed: UInt64) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            var random = SeededGenerator(seed: seed)
            let plain = try await TrackHistory.open(directory: directory + "/plain")
            let sealed = try await TrackHistory.open(directory: directory + "/sealed", key: Samples.key)
            for (device, points) in Self.additions(using: &random) {
                let added = try await plain.add(points, of: device)
                #expect(try await sealed.add(points, of: device) == added)
                var (one, other) = (random, random)
                guard Int.random(in: 0..<4, using: &random) == 0 else { continue }
                let expected = try await Self.answers(plain, using: &one)
                #expect(try await Self.answers(sealed, using: &other) == expected)
                let begin = Int.random(in: 0..<10_000, using: &random)
                let times = Samples.seconds(begin..<begin + 300)
                let removed = try await plain.remove(device, during: times)
                #expect(try await sealed.remove(device, during: times) == removed)
            }
            await plain.close()
            await sealed.close()
        }
    }

    @Test(arguments: 5...6)
    func `Encrypted and in plain again a history says the same as before`(_ seed: UInt64) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            var random = SeededGenerator(seed: seed)
            var history = try await TrackHistory.open(directory: directory)
            let additions = Self.additions(using: &random)
            for (device, points) in additions { _ = try await history.add(points, of: device) }
            var again = random
            let expected = try await Self.answers(history, using: &again)
            for key in [Samples.key, Samples.key, nil] {
                await history.close()
                if key == nil { try await EncryptedHistory(directory: directory).decrypt(with: Samples.key) }
                history = try await TrackHistory.open(directory: directory, key: key)
                #expect(try await history.isEncrypted == (key != nil))
                again = random
                #expect(try await Self.answers(history, using: &again) == expected)
                for (device, points) in additions {
                    #expect(try await history.add(points, of: device).added == 0)
                }
            }
            await history.close()
        }
    }
}

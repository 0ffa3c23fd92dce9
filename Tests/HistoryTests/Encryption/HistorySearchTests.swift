import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory

/// A search of all of a history's files for what they must not tell.
@Suite("A search of an encrypted history's files")
struct HistorySearchTests {
    private static let device: DeviceID = "bicycle-of-anna"
    private static let source: SourceID = "replay-holiday-in-munich.gpx"

    private static let points: [HistoryPoint] = (0..<400).map { number in
        let fix = Fix(
            time: Samples.start.advanced(by: .milliseconds(Int64(61_237 * number + 129))),
            coordinate: Coordinate(
                latitude: 48.137154 + Double(number) * 1.37e-4, longitude: 11.576124 + Double(number) * 2.11e-4),
            altitude: 519.257, speed: 13.371)
        let id = SenderID.text("phone-message-\(number)")
        return HistoryPoint(fix: fix, source: source, senderID: number % 2 == 0 ? id : .record(recordID(number))).kept
    }

    private static func recordID(_ number: Int) -> RecordID {
        RecordID(rawValue: UInt128(0x1234_5678_9abc_def0) << 64 | UInt128(number + 1) &* 0x9e37_79b9_7f4a_7c15)
    }

    private static var traces: Traces {
        var traces = Traces(Traces.text(device.rawValue, "a device's name"))
        traces.patterns += Traces.text(source.rawValue, "a source's name")
        for (number, point) in points.enumerated() where number % 50 == 0 {
            let place = point.fix.coordinate
            traces.patterns += Traces.place(place.latitude, place.longitude)
            traces.patterns += Traces.text("phone-message-\(number)", "a sender's id")
            traces.patterns.append(("a record's id", recordID(number + 1).bytes))
        }
        return traces
    }

    /// Everything that a history can hold: points, names, chunks, drawings.
    private static func fill(_ history: TrackHistory) async throws {
        _ = try await history.add(points, of: device)
        _ = try await history.add([Samples.point(0)], of: "removed-device-of-bert")
        try await history.remove("removed-device-of-bert", during: Samples.seconds(-1..<1))
        try await look(at: history)
    }

    private static func look(at history: TrackHistory) async throws {
        let days =
            Samples.start.advanced(by: .seconds(-86_400 * 40))..<Samples.start.advanced(by: .seconds(86_400 * 40))
        #expect(try await !history.drawing(of: device, during: days, zoom: 10).lines.isEmpty)
        #expect(try await history.summary(of: device, during: days)?.count == points.count)
        #expect(try await history.points(of: device, during: days, limit: 1_000) == points)
    }

    private static func meanings(_ found: Set<String>) -> Set<String> {
        Set(found.map { $0.split(separator: ": ").last.map(String.init) ?? "" })
    }

    @Test func `In plain the search finds what it looks for`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let history = try await TrackHistory.open(directory: directory)
            try await Self.fill(history)
            let found = try Self.traces.found(in: directory)
            await history.close()
            #expect(
                Self.meanings(found) == [
                    "a place in fixed point", "a place in seven bits a byte", "a device's name", "a source's name",
                    "a sender's id", "a record's id",
                ])
        }
    }

    @Test func `Nothing is found in an encrypted history that is open, killed or closed`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let home = directory + "/history"
            let history = try await TrackHistory.open(directory: home, key: Samples.key)
            try await Self.fill(history)
            #expect(try Self.traces.found(in: directory) == [])
            try FileManager.default.copyItem(atPath: home, toPath: directory + "/killed")
            await history.close()
            let killed = try await TrackHistory.open(directory: directory + "/killed", key: Samples.key)
            try await Self.look(at: killed)
            #expect(try Self.traces.found(in: directory) == [])
            await killed.close()
            #expect(try Self.traces.found(in: directory) == [])
        }
    }

    @Test func `Nothing is left of a history in plain that was encrypted`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let plain = try await TrackHistory.open(directory: directory)
            try await Self.fill(plain)
            await plain.close()
            #expect(try !Self.traces.found(in: directory).isEmpty)
            let history = try await TrackHistory.open(directory: directory, key: Samples.key)
            #expect(try Self.traces.found(in: directory) == [])
            try await Self.look(at: history)
            await history.close()
            #expect(try Self.traces.found(in: directory) == [])
            let names = try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
            #expect(
                names == [
                    "history.lock", "history.reserve", "history.sqlite", "history.sqlite.encrypted", "key.sealed",
                ])
        }
    }
}

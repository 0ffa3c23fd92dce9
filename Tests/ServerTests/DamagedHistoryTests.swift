import Foundation
import SQLiteAccess
import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory
import TrackEngineServer

/// What a server gives of a history with damaged pages.
@Suite("A damaged history over HTTP", .timeLimit(.minutes(15)))
struct DamagedHistoryTests {
    private static let start: Int64 = 1_772_300_000
    private static let count = 12_000

    private static let points = (0..<count).map { second in
        let coordinate = Coordinate(latitude: 53 + Double(second) * 1e-5, longitude: 9.98)
        return HistoryPoint(
            fix: Fix(time: Timestamp(secondsSince1970: start + Int64(second)), coordinate: coordinate))
    }

    /// Makes every tenth leaf of the table of points unreadable; returns how many rows these have.
    private static func damage(_ path: String) throws -> Int {
        let db = try Database(path: path)
        let leaves = try db.rows(
            sql: "SELECT pageno, ncell FROM dbstat WHERE name = 'point' AND pagetype = 'leaf' ORDER BY path",
            arguments: []
        ).compactMap { row in row.integer(0).flatMap { page in row.integer(1).map { (page: page, rows: Int($0)) } } }
        try db.close()
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        var rows = 0
        for (index, leaf) in leaves.enumerated() where index % 10 == 5 {
            try file.seek(toOffset: UInt64(leaf.page - 1) * 4_096)
            try file.write(contentsOf: [0xEE])
            rows += leaf.rows
        }
        try file.close()
        return rows
    }

    /// A server over a damaged history, with the number of its sound points.
    private static func with(_ body: @Sendable (ServerBench, Int) async throws -> Void) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let place = directory + "/history"
            let history = try await TrackHistory.open(directory: place)
            _ = try await history.add(points, of: "van")
            await history.close()
            let lost = try damage(place + "/history.sqlite")
            try #require((1..<count / 2).contains(lost))
            try await ServerBench.with(historyIn: place) { try await body($0, count - lost) }
        }
    }

    private static func times(_ bench: ServerBench) -> String {
        "device=van&from=\(start)&to=\(start + Int64(count))"
    }

    @Test(arguments: ["csv", "ndjson", "gpx"])
    func `an export has all sound points, and ends as a document does`(_ format: String) async throws {
        try await Self.with { bench, sound in
            let reply = try await bench.send(
                "GET", "/api/export?\(Self.times(bench))&format=\(format)&key=\(bench.key)")
            #expect(reply.status == 200)
            #expect(reply.bytes.suffix(7) == Array("\r\n0\r\n\r\n".utf8)[...], "the last piece is there")
            let text = String(decoding: reply.unchunked, as: UTF8.self)
            let points = text.split(whereSeparator: \.isNewline).count { $0.contains("2026-") }
            switch format {
            case "gpx":
                #expect(text.components(separatedBy: "<trkpt").count - 1 == sound)
                #expect(text.trimmingCharacters(in: .whitespacesAndNewlines).hasSuffix("</gpx>"))
            default: #expect(points == sound)
            }
        }
    }

    @Test func `its sound points are drawn, counted and deleted, and others come`() async throws {
        try await Self.with { bench, sound in
            let path = try await bench.send("GET", "/api/path?\(Self.times(bench))&zoom=12&key=\(bench.key)")
            #expect(path.status == 200 && path.body.contains(#""lines":[["#))
            #expect(bench.history.health.statusItems.map(\.name) == ["damaged"])
            let key = try bench.access.allowEditing().secret.revealed
            let removed = try await bench.send("DELETE", "/api/points?\(Self.times(bench))&key=\(key)")
            #expect(removed.status == 200 && removed.body == #"{"removed":\#(sound)}"#)
            let token = try bench.token(of: "phone")
            let sent = try await bench.send(
                "POST", "/dump?token=\(token)", body: #"{"locations":[\#(ReceivingTests.feature)]}"#)
            #expect(sent.status == 200)
            #expect(try await bench.points(of: "phone").count == 1)
        }
    }
}

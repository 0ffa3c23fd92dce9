import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory
import TrackEngineServer

/// Requests beside what they say: `FORMAT-NAME.request`, whose head says where it comes from, and `FORMAT-NAME.request.chk`.
///
/// All of it was written for this project.
enum Golden {
    static let formats: [any SenderFormat] = [
        OverlandSender(), CalmGeoSender(), OwnTracksSender(), TraccarSender(), GPSLoggerSender(), MiataruSender(),
        OverlandSender.dawarich, MicroLoggerSender(),
    ]

    static let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/Golden"

    static func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0.hasSuffix(".request") }.sorted()
    }

    static func text(of name: String) throws -> String {
        try String(contentsOfFile: directory + "/" + name, encoding: .utf8)
    }

    static func format(of name: String) throws -> any SenderFormat {
        try #require(formats.first { name.hasPrefix($0.name + "-") })
    }

    /// When the requests come: 2026-03-01T12:00:00Z.
    static let received = Timestamp(secondsSince1970: 1_772_366_400)

    /// The request that a file describes: lines `query:`, `type:`, `user:` and `device:`, an empty line, the body.
    static func request(_ text: String) throws -> SenderRequest {
        let end = try #require(text.range(of: "\n\n"))
        var request = SenderRequest(body: Array(text[end.upperBound...].dropLast().utf8), time: received)
        for line in text[..<end.lowerBound].split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            switch parts[0] {
            case "from": break
            case "query": request.query = ParameterList(parts[1])
            case "type": request.mediaType = parts[1]
            case "device": request.headerDevice = parts[1]
            case "user": request.headerUser = parts[1]
            default: Issue.record("not one of from, query, type, user and device: \(line)")
            }
        }
        return request
    }
}

@Suite struct GoldenTests {
    @Test func `Every format has requests`() throws {
        let names = try Golden.names()
        for format in Golden.formats { #expect(names.contains { $0.hasPrefix(format.name + "-") }, "\(format.name)") }
    }

    @Test(arguments: try Golden.names())
    func `A request says what was recorded`(_ name: String) throws {
        let format = try Golden.format(of: name)
        let text = ReceptionText.of(try Golden.request(try Golden.text(of: name)), in: format)
        try expectRecorded(text, in: Golden.directory + "/\(name).chk")
    }
}

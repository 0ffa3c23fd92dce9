import Foundation
import Logging
import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles
import TrackEngineTestKit

/// Records, sinks and what their directories hold.
enum Samples {
    /// 2026-03-01T10:00:00Z
    static let start: Int64 = 1_772_359_200

    /// So many seconds after ``start``.
    static func time(_ second: Int) -> Timestamp { Timestamp(secondsSince1970: start + Int64(second)) }

    /// A record so many seconds after ``start``; equal numbers give equal records.
    static func record(_ second: Int, isMoving: Bool = true, latitude: Double? = nil) -> TrackRecord {
        let fix = Fix(
            time: time(second),
            coordinate: Coordinate(latitude: latitude ?? 52.5 + Double(second % 86_400) * 1e-4, longitude: 13.25),
            altitude: 34.5, horizontalAccuracy: 4.5, speed: 10, course: 90)
        let draft = RecordDraft(
            id: RecordID(rawValue: UInt128(second) + 1), fix: fix, isMoving: isMoving, cause: .distance, source: "gpsd")
        return TrackRecord(sequence: RecordSequence(rawValue: Int64(second) + 1), draft: draft)
    }

    static func batch(_ seconds: some Sequence<Int>) -> RecordBatch { RecordBatch(records: seconds.map { record($0) }) }

    /// Those formats that the sink writes.
    static let formats = TrackFormat.allCases.filter { $0 != .kml }

    static let silentLogger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })

    static func sink(
        in directory: String, _ format: TrackFormat = .ndjson, _ rotation: FileSink.Rotation = .day,
        _ change: (inout FileSink.Configuration) -> Void = { _ in },
        now: Timestamp = time(3650 * 86_400), logger: Logger = silentLogger,
        probe: @escaping FileProbe = { (_) throws(FileFailure) in }
    ) throws -> FileSink {
        var configuration = FileSink.Configuration(directory: directory)
        configuration.format = format
        configuration.rotation = rotation
        change(&configuration)
        return try FileSink(id: "files", configuration: configuration, logger: logger, now: { now }, probe: probe)
    }
}

/// What a directory holds.
struct Directory {
    let path: String

    /// All names but the sink's own hidden ones, sorted.
    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter { !$0.hasPrefix(".") }.sorted()
    }

    func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)), as: UTF8.self)
    }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/" + name))
    }

    /// The seconds after ``Samples/start`` of the fixes that the replay's readers find, file by file in the order of names;
    /// problems are issues.
    func seconds(in names: [String]? = nil, sourceLocation: SourceLocation = #_sourceLocation) throws -> [Int] {
        try fixes(in: names, sourceLocation: sourceLocation).map { Int($0.time.secondsSince1970 - Samples.start) }
    }

    func fixes(in names: [String]? = nil, sourceLocation: SourceLocation = #_sourceLocation) throws -> [Fix] {
        var fixes: [Fix] = []
        for name in names ?? self.names {
            let file = try ReplayFile(path: path + "/" + name)
            while let chunk = try file.next() {
                #expect(chunk.problems.isEmpty, "\(name): \(chunk.problems)", sourceLocation: sourceLocation)
                fixes += chunk.fixes
            }
        }
        return fixes
    }
}

/// Runs a body with a directory that the sink still has to make.
func withDirectory(_ body: (Directory) async throws -> Void) async throws {
    try await TestEnvironment.withTemporaryDirectory { folder in
        try await body(Directory(path: folder + "/tracks"))
    }
}

/// The same in memory, where there is such a place: for tests of hundreds of flushes, which a busy disk makes slow.
func withDirectoryInMemory(_ body: (Directory) async throws -> Void) async throws {
    guard access("/dev/shm", W_OK) == 0 else { return try await withDirectory(body) }
    let folder = "/dev/shm/track-engine-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: folder) }  // a leftover fails no test
    try await body(Directory(path: folder + "/tracks"))
}

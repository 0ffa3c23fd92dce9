import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

/// A track that an agent reads from a named pipe while a test goes on writing it: all on the meridian of ``RecordedDay/home``.
final class PipedTrack {
    /// When its seconds begin to count: 2026-03-01T10:00:00Z.
    static let start: Int64 = 1_772_359_200

    private static let header = "time,lat,lon,hacc,speed\n"
    private let path: String
    private var descriptor: Int32 = -1
    /// All fixes so far, a line each.
    private var lines = ""

    init(in folder: String) throws {
        path = folder + "/track"
        try #require(mkfifo(path, 0o600) == 0)
    }

    deinit { close() }

    /// The section `sources` of an agent that reads it.
    var sources: String { "sources: [{type: replay, path: \"\(path)\", format: csv, speed: max}]" }

    /// Puts a file with all fixes so far in place of the pipe, in which an agent that starts again finds where it was.
    func becomeFile() throws {
        close()
        try FileManager.default.removeItem(atPath: path)
        try Data((Self.header + lines).utf8).write(to: URL(fileURLWithPath: path))
    }

    /// How far north so many metres are.
    static func latitude(_ metres: Double) -> Double { RecordedDay.home.latitude + metres / 111_300 }

    /// Waits until an agent reads the pipe.
    func open() async throws {
        close()
        descriptor = try await NamedPipe.writer(path)
        write(Self.header)
    }

    /// Ends what an agent reads.
    func close() {
        if descriptor >= 0 { Foundation.close(descriptor) }
        descriptor = -1
    }

    /// Writes a fix; where no agent reads the pipe, one for the file to be.
    func feed(_ second: Int64, metres: Double, speed: Double = 0) {
        let line = "\(Self.start + second),\(Self.latitude(metres)),10.0,5,\(speed)\n"
        lines += line
        if descriptor >= 0 { write(line) }
    }

    /// Writes a fix each ten seconds, from one second to before another.
    func feed(_ span: Range<Int64>, metres: Double, speed: Double = 0) {
        for second in stride(from: span.lowerBound, to: span.upperBound, by: 10) {
            feed(second, metres: metres + speed * Double(second - span.lowerBound), speed: speed)
        }
    }

    private func write(_ text: String) {
        let bytes = Array(text.utf8)
        #expect(Foundation.write(descriptor, bytes, bytes.count) == bytes.count)
    }
}

extension RunningAgent {
    /// Its stored records of a kind.
    func stored(_ kind: String) async throws -> [JSONValue] {
        try await trackd("export", "--kind", kind, "--format", "ndjson").text.split(separator: "\n")
            .map { try JSONValue.parse($0.utf8) }
    }

    /// Its stored transitions, `enter Depot`.
    func transitions() async throws -> [String] {
        try await stored("transition").map { record in
            let transition = record["transition"]
            return "\(transition?["event"]?.string ?? "?") \(transition?["place"]?["name"]?.string ?? "?")"
        }
    }

    /// Waits until it has stored so many positions.
    func stores(_ count: Int, sourceLocation: SourceLocation = #_sourceLocation) async {
        await eventually(
            "\(count) positions, it printed: \(child.text)", from: child,
            sourceLocation: sourceLocation
        ) {
            (try? await stored("location"))?.count == count
        }
    }

    /// Waits until it has read all of a file.
    func reachesEnd(sourceLocation: SourceLocation = #_sourceLocation) async {
        await eventually(
            "the file is read, trackd printed: \(child.text)", from: child,
            sourceLocation: sourceLocation
        ) {
            ((try? await trackd("status"))?.text ?? "").contains("finished")
        }
    }

    /// Ends it in order.
    func finish(sourceLocation: SourceLocation = #_sourceLocation) async {
        child.send(SIGTERM)
        #expect(await end() == 0, "\(child.text)", sourceLocation: sourceLocation)
    }

    /// Ends it as a crash would.
    func kill() async {
        child.send(SIGKILL)
        _ = await end()
    }
}

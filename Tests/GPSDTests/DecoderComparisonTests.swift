import Foundation
import GPSDProtocol
import TestSupport
import Testing

/// The protocol has two decoders of its numbers: libgps for the live source, ours for recordings.
@Suite("Our decoder beside libgps")
struct DecoderComparisonTests {
    /// The lines that the tests of the replay source and the fuzz targets keep.
    private static func keptLines() throws -> [[UInt8]] {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let folders = ["ReplayTests/Golden", "FuzzTests/Corpus/gpsd-lines", "FuzzTests/Corpus/replay-gpsd"]
        let files = try folders.flatMap { folder in
            let folder = tests.appendingPathComponent(folder)
            return try FileManager.default.contentsOfDirectory(atPath: folder.path)
                .filter { folder.lastPathComponent != "Golden" || $0.hasPrefix("gpsd-") && $0.hasSuffix(".log") }
                .sorted().map { folder.appendingPathComponent($0) }
        }
        return try files.flatMap { try lines(of: Array(Data(contentsOf: $0))) }
    }

    private static func lines(of bytes: [UInt8]) -> [[UInt8]] {
        var splitter = GPSDLineSplitter()
        var lines: [[UInt8]] = []
        splitter.append(bytes + [0x0a]) { if case .line(let line) = $0 { lines.append(line) } }
        return lines
    }

    @Test
    func `every line that the tests keep is the same report to both`() throws {
        var decoders = BothDecoders()
        let lines = try Self.keptLines()
        #expect(lines.count > 30)
        for line in lines {
            let outcome = decoders.decode(line)
            #expect(outcome.isIdentity, "\(String(decoding: line, as: UTF8.self)): \(outcome)")
        }
    }

    /// A hundred thousand agree too, and take half a minute of a debug build.
    @Test
    func `twenty-five thousand damaged lines are the same report to both, or to neither`() async throws {
        var random = SeededGenerator(seed: 0x6770_7364)
        var decoders = BothDecoders()
        let lines = try Self.keptLines()
        for round in 0..<25_000 {
            if round % 16 == 0 { await Task.yield() }  // other tests share these threads
            var line = lines[Int.random(in: 0..<lines.count, using: &random)]
            for _ in 0..<Int.random(in: 1...4, using: &random) { Mutation.apply(to: &line, using: &random) }
            let outcome = decoders.decode(line)
            guard outcome.isAgreement else {
                Issue.record("round \(round), \(String(decoding: line, as: UTF8.self)): \(outcome)")
                return
            }
        }
    }

    @Test(
        .timeLimit(.minutes(30)),
        arguments: [
            "bt451.log", "bundg_zeus_9.log", "haicom-305N.log", "navisys-gr701w.log", "nmea-rtk.log", "paris.nmea",
            "rst39.log", "sirf2.log", "ublox-lea-4h.log", "ublox-neo-m8l.log",
        ])
    func `what a real gpsd makes of real receivers' output is the same report to both`(_ name: String) async throws {
        guard let path = TestEnvironment.corpus("gpsd/\(name)") else { return }
        let daemon = try await GPSDaemon()
        let client = try GPSDClient(port: daemon.port)
        try await client.watch(daemon, playing: Array(Data(contentsOf: URL(fileURLWithPath: path))))
        var decoders = BothDecoders()
        var positions = 0
        for line in Self.lines(of: client.received) {
            let outcome = decoders.decode(line)
            #expect(outcome.isIdentity, "\(String(decoding: line, as: UTF8.self)): \(outcome)")
            if case .success(.position) = outcome.ours { positions += 1 }
        }
        #expect(positions > 0)
    }
}

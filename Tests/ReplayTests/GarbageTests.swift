import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles

@Suite("Garbage", .serialized)
struct GarbageTests {
    @Test(
        arguments: ReplayFormat.allCases)
    func `mutations of good files, a hundred thousand when optimised, neither crash nor hang any decoder`(
        _ format: ReplayFormat
    ) async throws {
        var random = SeededGenerator(seed: 0x5eed &+ UInt64(format.name.utf8.count))
        let seeds = try Golden.names(of: format).map { try Array(read(Golden.path($0)).prefix(1500)) }
        let count = (TestEnvironment.isOptimised ? 100_000 : 10_000) / ReplayFormat.allCases.count
        for round in 0..<count {
            if round % 16 == 0 { await Task.yield() }  // other tests share these threads, and some watch a clock
            var bytes = seeds[Int.random(in: 0..<seeds.count, using: &random)]
            bytes = Array(bytes.dropFirst(Int.random(in: 0..<bytes.count, using: &random)).prefix(400))
            for _ in 0..<Int.random(in: 1...8, using: &random) { Mutation.apply(to: &bytes, using: &random) }
            let chunk = decode(bytes, as: format, pieces: Int.random(in: 1...500, using: &random))
            // At most one fix or problem for each byte or so: nothing is made out of nothing.
            #expect(chunk.fixes.count + chunk.problems.count <= bytes.count + 2)
        }
    }

    @Test(
        .enabled(if: TestEnvironment.memoryCounts),
        arguments: [
            "{", "[", "\"", "<", "<a", "<a b='", "&", "$", ",", "9", "{\"features\":[", "<!--", "{\"a\":", "\\",
            "<![CDATA[",
            "\"\n", "{\n", "0,", "<!DOCTYPE ", "$GPGGA,", "{\"class\":\"TPV\",\"lat\":1",
        ])
    func `endless lines, depths, digits and quotes stay bounded`(_ unit: String) async {
        await #expect(processExitsWith: .success) { [unit = unit as String] in
            let piece = Array(String(repeating: unit, count: 32_768 / unit.utf8.count).utf8)
            for format in ReplayFormat.allCases {
                var decoder = format.makeDecoder()
                // A line of GeoJSON is one object of up to 4 MiB; it is held, and once more while it is read again.
                let holdsLines = format == .geojson || format == .calmgeo
                func feed(_ count: Int) throws -> Int {
                    for _ in 0..<count {
                        var chunk = TrackChunk()
                        decoder.decode(piece.span, into: &chunk)
                    }
                    return try residentBytes()
                }
                // The first pieces fill whatever may be held; of the 4 MiB that follow, nothing may be.
                let growth = try -feed(6) + feed(128)
                #expect(growth < (holdsLines ? 24 << 20 : 2 << 20), "\(format): \(growth) bytes")
                // Nor does that grow with the length of the document.
                let more = holdsLines ? try -feed(256) + feed(256) : 0
                #expect(more < 8 << 20, "\(format): \(more) bytes")
            }
        }
    }
}

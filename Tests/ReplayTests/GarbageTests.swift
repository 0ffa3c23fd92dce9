import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineReplay

@Suite("Garbage", .serialized)
struct GarbageTests {
    @Test(
        "a hundred thousand mutations of good files neither crash nor hang any decoder",
        arguments: ReplayFormat.allCases)
    func mutations(_ format: ReplayFormat) async throws {
        var random = SplitMix(state: 0x5eed &+ UInt64(format.name.utf8.count))
        let seeds = try Golden.names(of: format).map { try Array(read(Golden.path($0)).prefix(1500)) }
        let count = 100_000 / ReplayFormat.allCases.count
        for round in 0..<count {
            if round % 16 == 0 { await Task.yield() }  // other tests share these threads, and some watch a clock
            var bytes = seeds[Int.random(in: 0..<seeds.count, using: &random)]
            bytes = Array(bytes.dropFirst(Int.random(in: 0..<bytes.count, using: &random)).prefix(400))
            for _ in 0..<Int.random(in: 1...8, using: &random) { mutate(&bytes, &random) }
            let chunk = decode(bytes, as: format, pieces: Int.random(in: 1...500, using: &random))
            // At most one fix or problem for each byte or so: nothing is made out of nothing.
            #expect(chunk.fixes.count + chunk.problems.count <= bytes.count + 2)
        }
    }

    private func mutate(_ bytes: inout [UInt8], _ random: inout SplitMix) {
        guard !bytes.isEmpty else { return bytes.append(UInt8.random(in: 0...255, using: &random)) }
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: index)
        case 2: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &random)], at: index)
        case 3: bytes.removeSubrange(index..<min(bytes.count, index + Int.random(in: 1...40, using: &random)))
        default: bytes.insert(contentsOf: bytes[index..<min(bytes.count, index + 60)], at: index)
        }
    }

    @Test(
        "endless lines, depths, digits and quotes stay bounded",
        arguments: [
            "{", "[", "\"", "<", "<a", "<a b='", "&", "$", ",", "9", "{\"features\":[", "<!--", "{\"a\":", "\\",
            "<![CDATA[",
            "\"\n", "{\n", "0,", "<!DOCTYPE ", "$GPGGA,", "{\"class\":\"TPV\",\"lat\":1",
        ])
    func endless(_ unit: String) async {
        await #expect(processExitsWith: .success) { [unit = unit as String] in
            let piece = Array(String(repeating: unit, count: 32_768 / unit.utf8.count).utf8)
            for format in ReplayFormat.allCases {
                var decoder = format.makeDecoder(sample: piece.span)
                func feed(_ count: Int) throws -> Int {
                    for _ in 0..<count {
                        var chunk = ReplayChunk()
                        decoder.decode(piece.span, into: &chunk)
                    }
                    return try residentBytes()
                }
                // The first pieces fill whatever may be held; of the 2 MiB that follow, nothing may be.
                let growth = try -feed(6) + feed(64)
                #expect(growth < 1 << 20, "\(format): \(growth) bytes")
            }
        }
    }
}

/// The SplitMix64 generator of G. Steele, D. Lea and C. Flood (2014).
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }
}

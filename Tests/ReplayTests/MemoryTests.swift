import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles
import TrackEngineTestKit

@Suite("A million fixes", .serialized)
struct MemoryTests {
    /// A drive of a million seconds, RMC only; written in pieces so that the test itself needs no memory.
    private func writeMillion(to path: String) async throws {
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        let file = try #require(FileHandle(forWritingAtPath: path))
        defer { try? file.close() }  // what was written is checked by reading it
        for block in 0..<1000 {
            await Task.yield()  // other tests share these threads, and some watch a clock
            var bytes: [UInt8] = []
            for second in (block * 1000)..<(block * 1000 + 1000) { append(second, to: &bytes) }
            try file.write(contentsOf: bytes)
        }
    }

    private func append(_ second: Int, to bytes: inout [UInt8]) {
        let start = bytes.count
        bytes.append(contentsOf: "$GPRMC,".utf8)
        let (day, rest) = second.quotientAndRemainder(dividingBy: 86_400)
        for value in [rest / 3600, rest / 60 % 60, rest % 60] { bytes.appendDecimal(Int64(value), digits: 2) }
        bytes.append(contentsOf: ",A,4807.".utf8)
        bytes.appendDecimal(Int64(second), digits: 7)
        bytes.append(contentsOf: ",N,01131.0000000,E,22.4,84.4,".utf8)
        bytes.appendDecimal(Int64(day + 1), digits: 2)
        bytes.append(contentsOf: "0324,,,A".utf8)
        let sum = bytes[(start + 1)...].reduce(0, ^)
        bytes.append(UInt8(ascii: "*"))
        for digit in [sum >> 4, sum & 15] { bytes.append(digit < 10 ? 48 + digit : 55 + digit) }
        bytes.append(0x0a)
    }

    @Test(
        .timeLimit(.minutes(30)),
        .enabled(if: TestEnvironment.memoryCounts))
    func `stream in constant memory, plain and compressed`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let path = directory + "/million.nmea"
            try await writeMillion(to: path)
            let process = try ChildProcess("/usr/bin/env", ["gzip", "-1nk", path])
            await eventually("gzip ends") { process.exitCode == 0 }
            for file in [path, path + ".gz"] {
                await #expect(processExitsWith: .success) { [file = file as String] in
                    try await MemoryTests.count(file)
                }
            }
        }
    }

    /// Runs in a process of its own, whose memory no other test shares.
    private static func count(_ path: String) async throws {
        var fixes = 0
        var before: Int?
        var growth = 0
        for try await chunk in ReplayReader(path: path) {
            fixes += chunk.fixes.count
            #expect(chunk.problems.isEmpty)
            let resident = try residentBytes()
            if let before { growth = max(growth, resident - before) } else { before = resident }
        }
        #expect(fixes == 1_000_000)
        #expect(growth < 16 << 20, "\(growth) bytes for \(path)")
    }
}

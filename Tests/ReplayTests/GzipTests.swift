import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles

@Suite("gzip")
struct GzipTests {
    private static let text = (0..<2000).map { number in
        sentence(
            "GPRMC,10\(10 + number / 60 % 40)\(10 + number % 50).\(1000 + number),A,4807.038,N,01131.000,E,,,230324,,,A"
        )
    }.joined()

    /// The text, compressed, in a folder of its own.
    private func withCompressed(_ body: (String, [UInt8]) throws -> Void) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            try write(Array(Self.text.utf8), to: directory + "/plain")
            try body(directory + "/file", try await gzip(directory + "/plain"))
        }
    }

    @Test
    func `a compressed file is recognised by its content and gives the same fixes`() async throws {
        try await withCompressed { path, bytes in
            try write(bytes, to: path)
            let chunk = try replay(path)
            #expect(chunk.fixes == decode(Self.text, as: .nmea).fixes)
            #expect(chunk.problems.isEmpty)
            #expect(chunk.bytesRead == Int64(bytes.count))
        }
    }

    @Test
    func `members one after the other are one file, and zeros may fill it up`() async throws {
        try await withCompressed { path, bytes in
            try write(bytes + bytes + [UInt8](repeating: 0, count: 700), to: path)
            let chunk = try replay(path)
            #expect(chunk.fixes == decode(Self.text + Self.text, as: .nmea).fixes)
            #expect(chunk.problems.isEmpty)
        }
    }

    @Test(arguments: [1, 8, 200])
    func `a cut file gives what is whole and one problem`(_ missing: Int) async throws {
        try await withCompressed { path, bytes in
            try write(Array(bytes.dropLast(missing)), to: path)
            let chunk = try replay(path)
            #expect(chunk.fixes.count > 1)
            expectMessage(chunk.problems.last?.message, begin: "gzip")
        }
    }

    @Test(arguments: [2, 10, 12, 300])
    func `a header alone, or damage, is a problem and no crash`(_ length: Int) async throws {
        try await withCompressed { path, bytes in
            try write(Array(bytes.prefix(length)) + [0xff, 0xff, 0xff], to: path)
            let chunk = try replay(path)
            #expect(chunk.problems.last?.message.hasPrefix("gzip: ") == true)
        }
    }

    @Test
    func `garbage behind the last member is a problem, and all before it is delivered`() async throws {
        try await withCompressed { path, bytes in
            try write(bytes + Array("garbage".utf8), to: path)
            let chunk = try replay(path)
            #expect(chunk.fixes == decode(Self.text, as: .nmea).fixes)
            expectMessages(chunk.problemTexts, begin: ["malformed -: gzip"])
        }
    }
}

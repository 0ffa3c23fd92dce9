import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles

/// What lies between a file and its decoder: packing, marks, pieces and the choice of the format, for every format.
@Suite("Whole files")
struct WholeFileTests {
    /// A table of so many rows, the times a second apart.
    private static func table(_ rows: Int) -> String {
        "time,lat,lon\n" + (0..<rows).map { "\(1_772_359_200 + $0),1,\(Double($0) / 1000)\n" }.joined()
    }

    @Test(arguments: try Golden.allNames())
    func `a packed log gives what the plain one gives, and its format`(_ name: String) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            try write(try read(Golden.path(name)), to: directory + "/file")
            let path = directory + "/packed"
            try write(try await gzip(directory + "/file"), to: path)
            let chunk = try replay(path)
            let plain = decode(try read(Golden.path(name)), as: try #require(Golden.format(of: name)))
            #expect(chunk.fixes == plain.fixes)
            #expect(chunk.problems == plain.problems)
            let file = try ReplayFile(path: path)
            _ = try file.next()
            #expect(file.format == Golden.format(of: name))
        }
    }

    @Test(arguments: try Golden.allNames())
    func `a log behind a byte order mark is the same log`(_ name: String) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            try write([0xef, 0xbb, 0xbf] + (try read(Golden.path(name))), to: directory + "/file")
            let chunk = try replay(directory + "/file")
            let plain = decode(try read(Golden.path(name)), as: try #require(Golden.format(of: name)))
            #expect(chunk.fixes == plain.fixes)
            #expect(chunk.problems == plain.problems)
        }
    }

    @Test(arguments: try Golden.allNames())
    func `a log in UTF-16, packed or not, is the same log, and is recognised`(_ name: String) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let text = String(decoding: try read(Golden.path(name)), as: UTF8.self)
            let bytes = ("\u{feff}" + text).utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
            try write(bytes, to: directory + "/file")
            try write(try await gzip(directory + "/file"), to: directory + "/packed")
            let plain = decode(Array(text.utf8), as: try #require(Golden.format(of: name)))
            for file in ["/file", "/packed"] {
                let chunk = try replay(directory + file)
                #expect(chunk.fixes == plain.fixes)
                #expect(chunk.problems == plain.problems)
            }
        }
    }

    @Test(arguments: try Golden.allNames())
    func `a log whose lines end with CR alone is the same log, and is recognised`(_ name: String) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let text = String(decoding: try read(Golden.path(name)), as: UTF8.self).replacing("\r\n", with: "\n")
            try write(Array(text.replacing("\n", with: "\r").utf8), to: directory + "/file")
            let chunk = try replay(directory + "/file")
            let plain = decode(text, as: try #require(Golden.format(of: name)))
            #expect(chunk.fixes == plain.fixes)
            #expect(chunk.problems == plain.problems)
        }
    }

    @Test(
        arguments: [[0xff, 0xfe], [0xef, 0xbb, 0xbf], []])
    func `a file of a byte order mark alone, or of nothing, has nothing`(_ bytes: [UInt8]) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            try write(bytes, to: directory + "/track.csv")
            #expect(try replay(directory + "/track.csv").isEmpty)
        }
    }

    @Test(arguments: [1, 20, 1000, 40_003])
    func `a line may begin in one gzip member and end in the next`(_ cut: Int) async throws {
        let text = Array(Self.table(5000).utf8)
        try await TestEnvironment.withTemporaryDirectory { directory in
            try write(Array(text[..<cut]), to: directory + "/first")
            try write(Array(text[cut...]), to: directory + "/second")
            let both = try await gzip(directory + "/first") + (try await gzip(directory + "/second"))
            try write(both, to: directory + "/both.csv.gz")
            let chunk = try replay(directory + "/both.csv.gz")
            #expect(chunk.fixes.count == 5000)
            #expect(chunk.problems.isEmpty)
        }
    }

    @Test
    func `a packed file cut anywhere gives whole fixes from the beginning and says that it is cut`() async throws {
        let whole = decode(Self.table(3000), as: .csv).fixes
        try await TestEnvironment.withTemporaryDirectory { directory in
            try write(Array(Self.table(3000).utf8), to: directory + "/table")
            let bytes = try await gzip(directory + "/table")
            for length in stride(from: 20, to: bytes.count, by: 997) {
                try write(Array(bytes[..<length]), to: directory + "/cut.csv")
                let chunk = try replay(directory + "/cut.csv")
                let certain = chunk.fixes.dropLast()  // the last line may be half a line
                #expect(certain.elementsEqual(whole.prefix(certain.count)), "cut at \(length)")
                expectMessage(chunk.problems.last?.message, begin: "gzip")
            }
        }
    }

    @Test(arguments: ["\n", "\r\n"])
    func `the line of a problem is right far behind the first piece, also with CR LF`(_ end: String) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            var rows = Self.table(9000).split(separator: "\n").map(String.init)
            for line in [3000, 6000, 9000] { rows[line - 1] = "yesterday,1,2" }
            try write(Array((rows.joined(separator: end) + end).utf8), to: directory + "/table.csv")
            let chunk = try replay(directory + "/table.csv")
            #expect(chunk.problems.map(\.line) == [3000, 6000, 9000])
            #expect(chunk.fixes.count == 8997)
        }
    }

    @Test(arguments: [20_000, 300_000])
    func `a line longer than the bound costs that line, whatever its length`(_ length: Int) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let text = Self.table(3) + String(repeating: "9", count: length) + "\n1772360000,1,2\n"
            try write(Array(text.utf8), to: directory + "/table.csv")
            let chunk = try replay(directory + "/table.csv")
            #expect(chunk.fixes.count == 4)
            expectMessages(chunk.problemTexts, begin: ["oversized 5"])
        }
    }

    @Test
    func `a preamble longer than a piece leaves the choice to the name`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let text = String(repeating: "# a remark\n", count: 7000) + Self.table(2)
            for name in ["/table.csv", "/table"] { try write(Array(text.utf8), to: directory + name) }
            #expect(try replay(directory + "/table.csv").fixes.count == 2)
            #expect(throws: ReplayError.self) { try replay(directory + "/table") }
        }
    }

    @Test
    func `a format that is told counts, whatever the content says`() async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            try write(Array(Self.table(2).utf8), to: directory + "/track.csv")
            let chunk = try replay(directory + "/track.csv", options: ReplayOptions(format: .kml))
            #expect(chunk.fixes.isEmpty)
            expectMessages(chunk.problemTexts, begin: ["malformed 4"])
        }
    }
}

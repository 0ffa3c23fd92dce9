import Testing
import TrackEngineServer

@Suite struct QRCodeTests {
    /// Read back as "hi" by another program (zbar) when it was recorded.
    private static let hi = """
        #######...#.#.#######
        #.....#.....#.#.....#
        #.###.#.#.#...#.###.#
        #.###.#.....#.#.###.#
        #.###.#..#.##.#.###.#
        #.....#..###..#.....#
        #######.#.#.#.#######
        ........#.#..........
        ###.#####.#.###...#..
        .##....#..##.#.#.####
        .#########.#.###.####
        ..##.......###.###.#.
        #..#.##.#.##.###..#..
        ........#.#...#...###
        #######.###.#...#..##
        #.....#.###...#...###
        #.###.#.##..#.#.#.#.#
        #.###.#..#.#.#.#.#.#.
        #.###.#.####.###.##.#
        #.....#.##.###.###.#.
        #######.#..#.###.####
        """

    private static func text(of code: QRCode) -> String {
        (0..<code.size).map { row in
            String((0..<code.size).map { code[row, $0] ? "#" : "." as Character })
        }.joined(separator: "\n")
    }

    @Test func `a short text is the code that another program reads`() throws {
        #expect(Self.text(of: try #require(QRCode("hi"))) == Self.hi)
    }

    @Test(arguments: [
        (17, 21), (18, 25), (53, 29), (134, 41), (192, 49), (193, 53), (230, 53), (271, 57), (858, 97), (2953, 177),
    ])
    func `a code is as large as its text needs`(_ bytes: Int, _ size: Int) throws {
        #expect(try #require(QRCode(String(repeating: "a", count: bytes))).size == size)
    }

    @Test func `a text that no code holds has none`() {
        #expect(QRCode(String(repeating: "a", count: 2954)) == nil)
        #expect(QRCode("") == nil)
    }

    @Test func `it is printed with a light border in colours of its own`() throws {
        let code = try #require(QRCode("hi"))
        let lines = code.lines(inColours: true)
        #expect(lines.count == (code.size + 8 + 1) / 2)
        let plain = code.lines(inColours: false)
        #expect(plain.map { "\u{1b}[97;40m\($0)\u{1b}[0m" } == lines)
        #expect(lines.allSatisfy { $0.hasPrefix("\u{1b}[97;40m████") && $0.hasSuffix("████\u{1b}[0m") })
    }

    @Test func `the picture has a square for each dark module`() throws {
        let code = try #require(QRCode("hi"))
        let dark = Self.hi.filter { $0 == "#" }.count
        #expect(code.svg.split(separator: "h1v1h-1z").count - 1 == dark)
        #expect(code.svg.hasPrefix(#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 29 29""#))
    }
}

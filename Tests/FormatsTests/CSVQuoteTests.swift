import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles

/// Quotes in tables: those that hold a field together over line ends, and those that somebody forgot to double.
@Suite struct CSVQuoteTests {
    private static let header = "time,lat,lon,note,speed\n"

    private static func row(_ number: Int, note: String = "", speed: String = "5") -> String {
        "\(1_772_359_200 + number),\(number),10,\(note),\(speed)\n"
    }

    private static func rows(_ numbers: ClosedRange<Int>) -> String { numbers.map { row($0) }.joined() }

    @Test func `two stray quotes many rows apart cost no row between them and are reported`() {
        let text =
            Self.header + Self.row(1, note: "\"oops") + Self.rows(2...20) + Self.row(21, note: "oops\"")
            + Self.rows(22...30)
        let chunk = read(text, as: .csv)
        #expect(chunk.latitudes == (1...30).map(Double.init))
        expectMessages(chunk.problemTexts, begin: ["malformed 2"])
    }

    @Test func `two stray quotes in the last column, which make a record of the right width, cost no row`() {
        let header = "time,lat,lon,note\n"
        let rows = (1...9).map { number in
            "\(1_772_359_200 + number),\(number),10,\(number == 3 ? "\"oops" : number == 6 ? "oops\"" : "")\n"
        }
        let chunk = read(header + rows.joined(), as: .csv)
        #expect(chunk.latitudes == (1...9).map(Double.init))
        expectMessages(chunk.problemTexts, begin: ["malformed 4"])
    }

    @Test func `each of several stray quotes is reported in its own line`() {
        let text = Self.header + [1, 2, 3].map { Self.row($0, note: "\"oops") }.joined() + Self.row(4)
        let chunk = read(text, as: .csv)
        #expect(chunk.latitudes == [1, 2, 3, 4])
        expectMessages(chunk.problemTexts, begin: ["malformed 2", "malformed 3", "malformed 4"])
    }

    @Test func `a quote inside a field that does not begin with one is a letter like any other`() {
        let text =
            Self.header + Self.row(1, note: "5\" pipe") + Self.rows(2...9) + Self.row(10, note: "a \"word\" or 2")
            + Self.row(11, note: "6\" pipe")
        let chunk = read(text, as: .csv)
        #expect(chunk.latitudes == (1...11).map(Double.init))
        #expect(chunk.problems.isEmpty)
    }

    @Test(arguments: ["a\nb", "a\n\n\nb\n", "a \"\"word\"\", quoted\nand, more", "1,2,3\n4,5,6", "\n"])
    func `a quoted field over several lines is one field, and the columns after it count`(_ note: String) {
        let text = Self.header + Self.row(1) + Self.row(2, note: "\"\(note)\"", speed: "7") + Self.row(3)
        for end in ["\n", "\r\n"] {
            let chunk = read(text.replacing("\n", with: end), as: .csv)
            #expect(chunk.latitudes == [1, 2, 3])
            #expect(chunk.fixes.map(\.speed) == [5, 7, 5])
            #expect(chunk.problems.isEmpty)
        }
    }

    @Test func `a heading over two lines names its column`() {
        let text = "time,lat,lon,\"note,\nif any\",\"speed\"\n1772359200,1,2,\"a\nb\",7\n"
        let chunk = read(text, as: .csv)
        #expect(chunk.fixes.map(\.speed) == [7])
        #expect(chunk.problems.isEmpty)
    }

    @Test func `a quoted field that closes in a record of the wrong width is reported, and its lines are read alone`() {
        let chunk = read(Self.header + Self.row(1, note: "\"a") + "b\"\n" + Self.row(2), as: .csv)
        #expect(chunk.latitudes == [1, 2])
        expectMessages(chunk.problemTexts, begin: ["malformed 2", "malformed 3"])
    }

    @Test func `a quote that nothing closes is reported with its bound, and the rows after the bound are read`() {
        let prose = String(repeating: "no row at all\n", count: 1500)
        let chunk = read(Self.header + Self.row(1, note: "\"oops") + prose + Self.rows(2...4), as: .csv)
        #expect(chunk.latitudes == [1, 2, 3, 4])
        expectMessage(chunk.problemTexts.first, begin: "oversized 2")
        #expect(chunk.problems.map { $0.line ?? 0 } == Array(2...1502))
    }

    @Test func `a quote that the end of the file leaves open is reported, and its row is read`() {
        let chunk = read(Self.header + Self.row(1) + "1772359300,2,10,\"oops", as: .csv)
        #expect(chunk.latitudes == [1, 2])
        expectMessages(chunk.problemTexts, begin: ["malformed 3"])
    }

    @Test func `a quote in a comment before the header opens nothing`() {
        let chunk = read("# made by, \"somebody\n" + Self.header + Self.rows(1...3), as: .csv)
        #expect(chunk.latitudes == [1, 2, 3])
        #expect(chunk.problems.isEmpty)
    }

    @Test func `a stray quote in the header leaves the columns before it`() {
        let chunk = read("time,lat,lon,speed,\"note\n1772359200,1,10,5,\n1772359201,2,10,5,\n", as: .csv)
        #expect(chunk.latitudes == [1, 2])
        #expect(chunk.fixes.map(\.speed) == [5, 5])
        expectMessages(chunk.problemTexts, begin: ["malformed 1"])
    }
}

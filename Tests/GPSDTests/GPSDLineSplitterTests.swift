import GPSDProtocol
import Testing

@Suite("Framing of gpsd's stream")
struct GPSDLineSplitterTests {
    private func pieces(_ chunks: [[UInt8]], bound: Int = 20) -> [GPSDLineSplitter.Part] {
        var splitter = GPSDLineSplitter(bound: bound)
        var pieces: [GPSDLineSplitter.Part] = []
        for chunk in chunks { splitter.append(chunk) { pieces.append($0) } }
        return pieces
    }

    private func line(_ text: String) -> GPSDLineSplitter.Part { .line(Array(text.utf8)) }

    @Test
    func `the same lines come out wherever the stream is cut`() {
        let stream = Array("first\r\n\r\nsecond\nthis one is far too long\r\nlast\r\nhalf".utf8)
        let expected = [line("first"), line("second"), .oversized, line("last")]
        for first in 0...stream.count {
            for second in first...stream.count {
                let chunks = [Array(stream[..<first]), Array(stream[first..<second]), Array(stream[second...])]
                #expect(pieces(chunks) == expected, "cut at \(first) and \(second)")
            }
        }
    }

    @Test(arguments: ["\n", "\r\n"])
    func `a line of exactly the bound passes, one byte more does not`(end: String) {
        let twenty = String(repeating: "x", count: 20)
        #expect(pieces([Array((twenty + end).utf8)]) == [line(twenty)])
        #expect(pieces([Array((twenty + "x" + end).utf8)]) == [.oversized])
    }

    @Test
    func `a flood without any line end is announced once, when it ends`() {
        let block = [UInt8](repeating: 0x7b, count: 65_536)
        let chunks = Array(repeating: block, count: 16) + [Array("\nnext\n".utf8)]
        #expect(pieces(chunks, bound: GPSDLineSplitter.protocolBound) == [.oversized, line("next")])
    }
}

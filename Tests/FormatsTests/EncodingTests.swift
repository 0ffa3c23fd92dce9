import Testing
import TrackEngine
import TrackEngineFiles

/// Documents in UTF-8 and UTF-16, by their byte order marks.
@Suite struct EncodingTests {
    enum Encoding: CaseIterable {
        case littleEndian, bigEndian

        func bytes(_ text: String) -> [UInt8] {
            ("\u{feff}" + text).utf16.flatMap { unit in
                let halves = [UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8)]
                return self == .littleEndian ? halves : halves.reversed()
            }
        }
    }

    @Test(arguments: TrackFormat.allCases, Encoding.allCases)
    func `a document in UTF-16 gives what it gives in UTF-8`(_ format: TrackFormat, _ encoding: Encoding) {
        let text = String(decoding: document(format, 20), as: UTF8.self)
        let chunk = read(encoding.bytes(text), as: format)
        #expect(chunk.fixes == format.read(Array(text.utf8)).fixes)
        #expect(chunk.fixes.count == 20)
        #expect(chunk.problemTexts == [])
    }

    @Test(arguments: TrackFormat.allCases, Encoding.allCases)
    func `a document in UTF-16 is recognised`(_ format: TrackFormat, _ encoding: Encoding) {
        let bytes = encoding.bytes(String(decoding: document(format, 3), as: UTF8.self))
        let found = TrackFormat(sample: bytes.span)
        #expect(found == format)
    }

    @Test(arguments: ["UTF-16", "utf-16", "UTF-16LE"])
    func `XML that can be read is read, though it says that it is UTF-16`(_ name: String) {
        let text =
            "<?xml version=\"1.0\" encoding=\"\(name)\"?><gpx><trk><trkseg><trkpt lat=\"1\" lon=\"2\">"
            + "<time>2026-03-01T10:00:00Z</time></trkpt></trkseg></trk></gpx>"
        for bytes in [Encoding.littleEndian.bytes(text), Array(text.utf8)] {
            let chunk = read(bytes, as: .gpx)
            #expect(chunk.latitudes == [1])
            #expect(chunk.problemTexts == [])
        }
    }

    @Test(arguments: Encoding.allCases)
    func `letters beyond ASCII, beyond the first plane and halves of them are each one column's text`(
        _ encoding: Encoding
    ) {
        let text = "time,lat,lon,note,speed\n1772359200,1,2,\"Größe €, 🚚\",5\n1772359201,2,2,half,6\n"
        var bytes = encoding.bytes(text)
        let place = encoding.bytes(String(text.prefix { $0 != "h" })).count
        let half: [UInt8] = encoding == .littleEndian ? [0x3d, 0xd8] : [0xd8, 0x3d]  // the first half of a truck
        bytes.replaceSubrange(place..<(place + 2), with: half)
        let chunk = read(bytes, as: .csv)
        #expect(chunk.latitudes == [1, 2])
        #expect(chunk.fixes.map(\.speed) == [5, 6])
        #expect(chunk.problemTexts == [])
    }

    @Test(arguments: Encoding.allCases)
    func `half a unit at the end is a problem, and what is before it is read`(_ encoding: Encoding) {
        let chunk = read(encoding.bytes("time,lat,lon\n1772359200,1,2\n") + [0x0a], as: .csv)
        #expect(chunk.latitudes == [1])
        #expect(chunk.problems.map(\.line) == [3])
    }

    @Test func `what only begins like a byte order mark is content`() {
        for bytes: [UInt8] in [[0xff], [0xfe], [0xef, 0xbb], [0xfe, 0xfe]] {
            // Without these bytes the header would be a comment.
            let chunk = read(bytes + Array("#,time,lat,lon\nx,1772359200,1,2\n".utf8), as: .csv)
            #expect(chunk.latitudes == [1])
            #expect(chunk.problemTexts == [])
        }
    }
}

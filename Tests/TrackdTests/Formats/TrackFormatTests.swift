import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineFiles
import TrackEngineSettings

@Suite struct TrackFormatTests {
    private let records =
        [SampleRecords.full, SampleRecords.bare]
        + (0..<700).map { SampleRecords.record($0, at: SampleRecords.start.advanced(by: .seconds($0 * 7))) }

    @Test(arguments: TrackFormat.allCases)
    func `written piece by piece it is the same document as in one buffer`(format: TrackFormat) {
        var writer = format.makeWriter()
        var document: [UInt8] = []
        var piece: [UInt8] = []
        func flush() {
            document += piece
            piece.removeAll()
        }
        writer.begin(&piece)
        flush()
        for record in records {
            writer.append(record, to: &piece)
            flush()
        }
        writer.end(&piece)
        flush()
        #expect(String(decoding: document, as: UTF8.self) == SampleRecords.document(format, records))
    }

    @Test(arguments: TrackFormat.allCases)
    func `a writer that is asked record by record for a long track never appends more than one piece`(
        format: TrackFormat
    ) {
        var writer = format.makeWriter()
        var bytes: [UInt8] = []
        var longest = 0
        writer.begin(&bytes)
        for number in 0..<5_000 {
            bytes.removeAll()
            writer.append(
                SampleRecords.record(number, at: SampleRecords.start.advanced(by: .seconds(number))), to: &bytes)
            longest = max(longest, bytes.count)
        }
        bytes.removeAll()
        writer.end(&bytes)
        #expect(max(longest, bytes.count) < 40_000)
    }

    @Test(arguments: TrackFormat.allCases)
    func `a record that is nowhere is left out`(format: TrackFormat) {
        let nowhere = SampleRecords.record(1, latitude: .nan)
        let tooFar = SampleRecords.record(2, longitude: 181)
        #expect(SampleRecords.document(format, [nowhere, tooFar]) == SampleRecords.document(format, []))
    }

    @Test(arguments: [TrackFormat.gpx, .kml])
    func `a source of any name leaves the document well-formed`(format: TrackFormat) {
        let name = "<a href='x'>&amp;]]>\u{0}\u{8}\u{1b}\u{fffe}\r\n\t\u{e9}\u{1f697}\"</a>"
        let record = SampleRecords.record(1, source: SourceID(rawValue: name))
        let document = XMLDocument(SampleRecords.document(format, [record]))
        #expect(
            document.texts["name"]?.last
                == "<a href='x'>&amp;]]>\u{fffd}\u{fffd}\u{fffd}\u{fffd}\r\n\t\u{e9}\u{1f697}\"</a>")
    }

    @Test func `every format has the name of the command line`() {
        #expect(TrackFormat.allCases.map(\.rawValue) == ["gpx", "geojson", "kml", "csv", "ndjson", "nmea"])
    }
}

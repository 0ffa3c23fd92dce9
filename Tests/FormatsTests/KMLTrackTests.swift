import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles

/// Times of a `gx:Track` and their places, some of which are missing.
@Suite struct KMLTrackTests {
    private static func text(_ second: Int) -> [UInt8] {
        Array(Timestamp(secondsSince1970: 1_772_359_200 + Int64(second)).rfc3339(.seconds).utf8)
    }

    private static func place(_ number: Int) -> KMLPlace? { KMLPlace(Array("\(number) 1".utf8).span, .absolute) }

    /// A place's number less the second of its time: the same for all fixes whose places have their own times.
    private static func shifts(_ fixes: [Fix]) -> Set<Int> {
        Set(fixes.map { Int($0.coordinate.longitude) - Int($0.time.secondsSince1970 - 1_772_359_200) })
    }

    @Test func `a track of any length is read while few times wait`() {
        var (track, chunk, fixes) = (KMLTrack(line: 1, maximumTimes: 4), TrackChunk(), [Fix]())
        for number in 0..<100 {
            fixes += track.addTime(Self.text(number).span, line: 1, into: &chunk)
            fixes += track.addPlace(Self.place(number), line: 1, into: &chunk)
        }
        fixes += track.end(into: &chunk)
        #expect(fixes.count == 100)
        #expect(Self.shifts(fixes) == [0])
        #expect(chunk.problems.isEmpty, "\(chunk.problems)")
    }

    @Test func `a time that was left out gives no later place the time of another`() {
        var (track, chunk) = (KMLTrack(line: 1, maximumTimes: 4), TrackChunk())
        for second in 0..<6 { _ = track.addTime(Self.text(second).span, line: 1, into: &chunk) }
        for number in 0..<6 { _ = track.addPlace(Self.place(number), line: 1, into: &chunk) }
        let fixes = track.addTime(Self.text(6).span, line: 1, into: &chunk)
        #expect(fixes.count == 4)
        #expect(Self.shifts(fixes) == [0])
        _ = track.addPlace(Self.place(6), line: 1, into: &chunk)
        #expect(Self.shifts(track.end(into: &chunk)) == [0])
        #expect(chunk.problems.map(\.kind) == [.oversized])
    }

    /// A document of ten points, without the lines of some times and places.
    private static func document(byTurns: Bool, withoutTimes: Set<Int>, withoutPlaces: Set<Int>) -> String {
        let times = (0..<10).map { number in
            withoutTimes.contains(number) ? "" : "<when>\(String(decoding: text(number), as: UTF8.self))</when>\n"
        }
        let places = (0..<10).map { withoutPlaces.contains($0) ? "" : "<gx:coord>\($0) 1 0</gx:coord>\n" }
        let lines = byTurns ? zip(times, places).map { $0 + $1 }.joined() : times.joined() + places.joined()
        return "<kml><gx:Track>\n\(lines)</gx:Track>\n<gx:Track>\n\(times[0])\(places[0])</gx:Track></kml>\n"
    }

    @Test(arguments: 0..<10, 1...3)
    func `places that are lost from a track shift no time to another place`(_ first: Int, _ length: Int) {
        let lost = Set(first..<min(10, first + length))
        let track = Self.document(byTurns: false, withoutTimes: [], withoutPlaces: lost)
        let chunk = read(track, as: .kml)
        #expect(Self.shifts(chunk.fixes).isSubset(of: [0]), "\(chunk.fixes)")
        #expect(chunk.problems.first?.line == 1)
        let others = read(Self.document(byTurns: false, withoutTimes: lost, withoutPlaces: []), as: .kml)
        #expect(Self.shifts(others.fixes).isSubset(of: [0]), "\(others.fixes)")
        #expect(others.problems.first?.line == 1)
    }

    @Test(arguments: 0..<10)
    func `a place that is lost where times and places come by turns costs at most its neighbour`(_ lost: Int) {
        let track = Self.document(byTurns: true, withoutTimes: [], withoutPlaces: [lost])
        let chunk = read(track, as: .kml)
        #expect(Self.shifts(chunk.fixes) == [0])
        #expect(chunk.fixes.count >= (lost == 0 ? 8 : 9))
        #expect(!chunk.problems.isEmpty)
    }

    @Test(arguments: 0..<10)
    func `a time that is lost where times and places come by turns costs its place, and the first one the track`(
        _ lost: Int
    ) {
        let chunk = read(Self.document(byTurns: true, withoutTimes: [lost], withoutPlaces: []), as: .kml)
        // Without its first time a track looks like one of places before their times that lacks the last time.
        #expect(Self.shifts(chunk.fixes).isSubset(of: [0]))
        #expect(chunk.fixes.count == (lost == 0 ? 0 : 10))
        if lost > 0 { expectMessage(chunk.problems.first?.message, begin: "gx:coord") }
        #expect(!chunk.problems.isEmpty)
        #expect(chunk.problems.allSatisfy { $0.kind == .incomplete })
    }

    @Test(arguments: ["<gx:Track>", "<Placemark>", "<Point>", "<gx:MultiTrack>", "</Placemark>", "</gx:MultiTrack>"])
    func `a track whose end is missing keeps what it has, and says that its end is missing`(_ tag: String) {
        let points =
            (0..<3).map { "<when>\(String(decoding: Self.text($0), as: UTF8.self))</when>\n" }.joined()
            + "<gx:coord>0 1 0</gx:coord>\n<gx:coord>1 1 0</gx:coord>\n"
        let chunk = read("<kml><gx:Track>\n\(points)\(tag)</kml>", as: .kml)
        #expect(chunk.fixes.count == 2)
        #expect(Self.shifts(chunk.fixes) == [0])
        expectMessage(chunk.problemTexts.first, begin: "malformed 7: gx:Track")
    }

    @Test(arguments: [TrackFormat.kml, .gpx])
    func `zeros in the place of a lost part join no point before them to one behind them`(_ format: TrackFormat) {
        let points = (0..<40).map { number in
            Point(time: String(decoding: Self.text(number), as: UTF8.self), longitude: "\(number)")
        }
        let bytes = Array(PointDocument.text(format, points).utf8)
        for start in stride(from: 20, to: bytes.count - 700, by: 11) {
            var damaged = bytes
            for place in start..<(start + 500) { damaged[place] = 0 }
            let chunk = format.read(damaged)
            #expect(Self.shifts(chunk.fixes) == [0], "hole at \(start)")
            #expect(chunk.problems.count <= 3, "hole at \(start): \(chunk.problemTexts)")
            #expect(!chunk.problems.isEmpty, "hole at \(start)")
        }
    }
}

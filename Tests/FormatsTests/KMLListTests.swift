import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles

/// Tracks of KML whose places come before their times: both are lists, and the k-th ones belong together.
@Suite struct KMLListTests {
    private static func time(_ number: Int) -> String { "<when>2026-03-01T10:00:0\(number)Z</when>\n" }

    private static func place(_ number: Int) -> String { "<gx:coord>\(number) 1 40</gx:coord>\n" }

    private static func read(_ parts: [String]) -> TrackChunk {
        FormatsTests.read("<kml><gx:Track>\n\(parts.joined())</gx:Track></kml>\n", as: .kml)
    }

    /// Pairs of a longitude, which numbers the places, and the second of the time.
    private static func pairs(_ chunk: TrackChunk) -> [[Int]] {
        chunk.fixes.map { [Int($0.coordinate.longitude), Int($0.time.secondsSince1970 - 1_772_359_200)] }
    }

    @Test func `a place before its time has its own time and not the one before`() {
        let chunk = Self.read((1...4).flatMap { [Self.place($0), Self.time($0)] })
        #expect(Self.pairs(chunk) == [[1, 1], [2, 2], [3, 3], [4, 4]])
        #expect(chunk.problemTexts == [])
    }

    @Test func `all places before all times have the times in their order`() {
        let chunk = Self.read((1...4).map(Self.place) + (1...4).map(Self.time))
        #expect(Self.pairs(chunk) == [[1, 1], [2, 2], [3, 3], [4, 4]])
        #expect(chunk.problemTexts == [])
    }

    @Test func `blocks of places and times have the times in their order`() {
        let parts = [1, 2].map(Self.place) + [1, 2].map(Self.time) + [3, 4].map(Self.place) + [3, 4].map(Self.time)
        #expect(Self.pairs(Self.read(parts)) == [[1, 1], [2, 2], [3, 3], [4, 4]])
    }

    @Test(arguments: [
        [place(1), time(2), place(2), time(3), place(3)], [place(1), place(2), time(1)],
        [place(1), time(1), time(2)], [place(1)],
    ])
    func `where one list is shorter, no place has a time, and the track is reported`(_ parts: [String]) {
        let chunk = Self.read(parts)
        #expect(chunk.fixes.isEmpty)
        #expect(chunk.problems.map(\.kind).first == .incomplete)
        #expect(chunk.problems.first?.line == 1)
    }

    @Test(arguments: [
        [time(1), place(1), place(2), time(2), time(3), place(3)],
        [time(1), time(2), place(1), time(3), place(2), place(3)],
        [time(1), place(1), time(2), time(3), place(2), place(3)],
        [time(1), place(1), time(2), place(2), place(3), time(3)],
        [time(1), place(1), place(2), place(3), time(2), time(3)],
    ])
    func `where both lists are as long, the k-th place has the k-th time, however they take turns`(_ parts: [String]) {
        let chunk = Self.read(parts)
        #expect(Self.pairs(chunk) == [[1, 1], [2, 2], [3, 3]])
        #expect(chunk.problemTexts == [])
    }

    @Test(arguments: [
        ([time(1), place(1), time(2), time(3), place(2)], [[1, 1]]),
        ([time(1), place(1), time(2), time(3), time(4), place(2)], [[1, 1]]),
        ([time(1), time(2), place(1), time(3), place(2)], []),
        ([time(1), time(2), time(3), place(1), place(2)], [[1, 1], [2, 2]]),
        ([time(1), time(2), place(2), time(3), place(3), time(4), place(4)], [[3, 3], [4, 4]]),
        ([time(1), place(1), time(2), place(2), time(3)], [[1, 1], [2, 2]]),
    ])
    func `where a track is cut, the last places have a time only if it is certain`(
        _ parts: [String], _ pairs: [[Int]]
    ) {
        let chunk = FormatsTests.read("<kml><gx:Track>\n\(parts.joined())<gx:co", as: .kml)
        #expect(Self.pairs(chunk) == pairs)
        #expect(!chunk.problems.isEmpty)
    }

    @Test func `the line that a place shares with its time tells which time has lost its place`() {
        let lines = (2...9).map { Self.place($0).replacing("\n", with: "") + Self.time($0) }
        let chunk = Self.read([Self.time(1)] + lines)
        #expect(Self.pairs(chunk) == (2...9).map { [$0, $0] })
        #expect(chunk.problems.map(\.kind) == [.incomplete])
        let whole = Self.read(
            [Self.time(1)]
                + (1...8).map {
                    Self.place($0).replacing("\n", with: "") + Self.time($0 + 1)
                } + [Self.place(9)])
        #expect(Self.pairs(whole) == (1...9).map { [$0, $0] })
        #expect(whole.problemTexts == [])
    }

    @Test(arguments: [true, false])
    func `where times and places mostly alternate, a lost time and a lost place leave all others their own`(
        hasLines: Bool
    ) {
        let lines = (1...9).map { number -> String in
            let (time, place) = (Self.time(number), Self.place(number))
            let pair = (hasLines ? time.replacing("\n", with: "") : time) + place
            return number == 3 ? place : number == 6 ? time : pair
        }
        let chunk = Self.read(lines)
        #expect(Self.pairs(chunk) == [1, 2, 4, 5, 7, 8, 9].map { [$0, $0] })
        #expect(chunk.problems.count == 2)
    }

    @Test(arguments: ["", "<gx:co"])
    func `where places and times mostly alternate, a lost time and a lost place leave all others their own`(
        end: String
    ) {
        let lines = (1...9).map { number -> String in
            number == 3 ? Self.place(number) : number == 6 ? Self.time(number) : Self.place(number) + Self.time(number)
        }
        let text = "<kml><gx:Track>\n\(lines.joined())" + (end.isEmpty ? "</gx:Track></kml>\n" : end)
        let chunk = FormatsTests.read(text, as: .kml)
        #expect(Self.pairs(chunk) == [1, 2, 4, 5, 7, 8, 9].map { [$0, $0] })
        #expect(chunk.problems.count(where: { $0.kind == .incomplete }) >= 2)
    }

    @Test func `where a track is cut behind a lost time, its place has no time`() {
        let parts = (1...4).flatMap { [Self.place($0), Self.time($0)] } + [Self.place(5), Self.place(6), Self.time(6)]
        let chunk = FormatsTests.read("<kml><gx:Track>\n\(parts.joined())<gx:co", as: .kml)
        #expect(Self.pairs(chunk) == [1, 2, 3, 4, 6].map { [$0, $0] })
    }

    @Test func `a track of uneven turns that is longer than the bound is read turn by turn`() {
        var (track, chunk, fixes) = (KMLTrack(line: 1, maximumTimes: 8), TrackChunk(), [Fix]())
        for number in 0..<1000 {
            fixes += track.addTime(Array("2026-03-01T10:00:0\(number % 10)Z".utf8).span, line: 1, into: &chunk)
            guard number != 2 else { continue }
            fixes += track.addPlace(KMLPlace(Array("\(number % 10) 1".utf8).span, .absolute), line: 1, into: &chunk)
        }
        fixes += track.end(into: &chunk)
        #expect(fixes.count == 999)
        #expect(fixes.allSatisfy { Int($0.coordinate.longitude) == Int($0.time.secondsSince1970 - 1_772_359_200) })
        #expect(chunk.problems.map(\.kind) == [.incomplete])
    }

    @Test func `the line that a time shares with its place tells which place has lost its time`() {
        let lines = (2...9).map { (Self.time($0) + Self.place($0)).replacing("\n", with: "") + "\n" }
        let chunk = Self.read([Self.place(1)] + lines)
        #expect(Self.pairs(chunk) == (2...9).map { [$0, $0] })
        expectMessages(chunk.problemTexts, begin: ["incomplete 1: gx:Track"])
        let reverse =
            (1...8).map { (Self.place($0) + Self.time($0)).replacing("\n", with: "") + "\n" } + [Self.place(9)]
        #expect(Self.read(reverse).fixes.isEmpty)
    }

    @Test func `places at times that are empty are reported`() {
        let chunk = Self.read([
            "<when/>\n", Self.place(1), Self.time(2), Self.place(2), "<when></when>\n", Self.place(3),
        ])
        #expect(Self.pairs(chunk) == [[2, 2]])
        expectMessages(chunk.problemTexts, begin: ["incomplete 1: gx:Track", "incomplete 1: gx:Track"])
    }

    @Test func `an unreadable time or place takes up its number in the list`() {
        let parts = [Self.place(1), "<when/>\n", "<gx:coord>x</gx:coord>\n", Self.time(2), Self.place(3), Self.time(3)]
        #expect(Self.pairs(Self.read(parts)) == [[3, 3]])
    }

    @Test func `no more places wait than the bound, and the rest is reported`() {
        var (track, chunk) = (KMLTrack(line: 1, maximumTimes: 3), TrackChunk())
        for number in 1...5 {
            _ = track.addPlace(KMLPlace(Array("\(number) 1".utf8).span, .absolute), line: 1, into: &chunk)
        }
        for number in 1...5 {
            _ = track.addTime(Array("2026-03-01T10:00:0\(number)Z".utf8).span, line: 1, into: &chunk)
        }
        #expect(track.end(into: &chunk).map { Int($0.coordinate.longitude) } == [1, 2, 3])
        #expect(chunk.problems.map(\.kind).first == .oversized)
    }

    @Test func `places before times beyond the bound are reported, also where they alternate`() {
        var (track, chunk) = (KMLTrack(line: 1, maximumTimes: 4), TrackChunk())
        for number in 1...9 {
            _ = track.addPlace(KMLPlace(Array("\(number) 1".utf8).span, .absolute), line: 1, into: &chunk)
            _ = track.addTime(Array("2026-03-01T10:00:0\(number)Z".utf8).span, line: 1, into: &chunk)
        }
        #expect(track.end(into: &chunk).map { Int($0.coordinate.longitude) } == [1, 2, 3, 4])
        #expect(Set(chunk.problems.map(\.kind)) == [.oversized])
    }
}

import Testing
import TrackEngine
import TrackEngineFormats

/// Times of a `gx:Track` that wait for their places.
@Suite struct KMLTrackTests {
    private static func text(_ second: Int) -> [UInt8] {
        Array(Timestamp(secondsSince1970: 1_772_359_200 + Int64(second)).rfc3339(.seconds).utf8)
    }

    private static func second(_ time: Timestamp?) -> Int? { time.map { Int($0.secondsSince1970 - 1_772_359_200) } }

    @Test func `a track of any length is read while few times wait`() {
        var (track, chunk) = (KMLTrack(line: 1, maximumTimes: 4), TrackChunk())
        track.addTime(Self.text(0).span, line: 1, into: &chunk)
        for place in 0..<100 {
            track.addTime(Self.text(place + 1).span, line: 1, into: &chunk)
            #expect(Self.second(track.nextTime(line: 1, into: &chunk)) == place)
        }
        #expect(chunk.problems.isEmpty, "\(chunk.problems)")
    }

    @Test func `a time that was left out gives no later place the time of another`() {
        var (track, chunk) = (KMLTrack(line: 1, maximumTimes: 4), TrackChunk())
        for second in 0..<6 { track.addTime(Self.text(second).span, line: 1, into: &chunk) }
        for place in 0..<4 { #expect(Self.second(track.nextTime(line: 1, into: &chunk)) == place) }
        track.addTime(Self.text(6).span, line: 1, into: &chunk)
        for _ in 4..<7 { #expect(track.nextTime(line: 1, into: &chunk) == nil) }
        #expect(chunk.problems.map(\.kind) == [.oversized])
    }
}

import Testing
import TrackEngine
import TrackEngineTestKit

/// Which recordings are remembered, and what a crash between two writes leaves of them.
@Suite struct RecordingHistoryTests {
    /// The checkpoint of a recording by its number.
    private static func checkpoint(_ recording: Int) -> SourceCheckpoint {
        let time = Timestamp(secondsSince1970: 1_772_359_200 + Int64(recording))
        let fix = Fix(time: time, coordinate: Coordinate(latitude: 1, longitude: Double(recording)))
        let draft = RecordDraft(
            id: RecordID(device: "d", source: "replay", fix: fix, cause: .distance), fix: fix, isMoving: true,
            cause: .distance, source: "replay")
        return SourceCheckpoint(source: "replay", last: draft, lastMovement: time, isStandby: false)
    }

    /// What a store keeps: one checkpoint under each name.
    private struct Kept {
        var byName: [SourceID: SourceCheckpoint] = [:]

        var history: RecordingHistory { RecordingHistory(of: "replay", in: Array(byName.values)) }

        func recordings() -> [Int] { history.checkpoints.map { Int($0.last.fix.coordinate.longitude) } }

        mutating func write(_ checkpoint: SourceCheckpoint) { byName[checkpoint.source] = checkpoint }

        /// Replays a recording: what is written before its first record, and that record.
        mutating func replay(_ recording: Int) {
            for write in writes(before: recording) { self.write(write) }
            write(RecordingHistoryTests.checkpoint(recording))
        }

        func writes(before recording: Int) -> [SourceCheckpoint] {
            let place = recordings().firstIndex(of: recording)
            return place == 0 ? [] : history.writes(before: place.map { history.checkpoints[$0] })
        }
    }

    @Test func `sixteen recordings are remembered, the newest first`() {
        var kept = Kept()
        for recording in 1...20 { kept.replay(recording) }
        #expect(kept.recordings().starts(with: (5...20).reversed()))
        #expect(kept.byName.count == 1 + RecordingHistory.limit)
    }

    @Test func `a recording that comes again is the current one and takes no room of others`() {
        var kept = Kept()
        for recording in [1, 2, 3, 1, 2, 1, 3, 3, 1] { kept.replay(recording) }
        #expect(Array(kept.recordings().prefix(1)) == [1])
        #expect(Set(kept.recordings()) == [1, 2, 3])
        #expect(kept.byName.count <= 4)
    }

    @Test func `what other sources keep is left alone`() {
        var kept = Kept()
        let other = SourceCheckpoint(
            source: "gpsd", last: Self.checkpoint(9).last, lastMovement: Timestamp(secondsSince1970: 0),
            isStandby: false)
        kept.write(other)
        for recording in [1, 2] { kept.replay(recording) }
        #expect(kept.recordings() == [2, 1])
        #expect(kept.byName["gpsd"] == other)
    }

    @Test func `the oldest of sixteen can be taken up again, and the others stay`() {
        var kept = Kept()
        for recording in Array(1...16) + [1] { kept.replay(recording) }
        #expect(kept.recordings().first == 1)
        #expect(Set(kept.recordings()) == Set(1...16))
    }

    @Test(arguments: [3, 15, 16, 17, 18])
    func `an end after any write loses no recording but the oldest`(_ count: Int) {
        var kept = Kept()
        for recording in 1...count { kept.replay(recording) }
        for next in 1...count + 1 {
            let (writes, all) = (kept.writes(before: next), Set(kept.recordings()))
            var cut = kept
            for write in writes {
                cut.write(write)
                let oldest = Set(kept.recordings().filter { $0 != next }.suffix(1))
                #expect(all.subtracting(cut.recordings()).isSubset(of: oldest), "\(next) after \(count)")
            }
            // What was begun is finished by the next start.
            cut = kept
            for write in writes.dropLast() { cut.write(write) }
            cut.replay(next)
            #expect(all.union([next]).subtracting(cut.recordings()).count <= 1, "\(next) after \(count)")
        }
    }
}

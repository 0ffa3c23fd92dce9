import CoreWorkloads
import TrackEngine

/// Records of the sample drive.
enum SampleRecords {
    static func make(_ count: Int) -> [TrackRecord] {
        drafts(count).enumerated().map {
            TrackRecord(sequence: RecordSequence(rawValue: Int64($0.offset + 1)), draft: $0.element)
        }
    }

    static func drafts(_ count: Int) -> [RecordDraft] {
        SampleTrack.fixes(count).map { fix in
            RecordDraft(
                id: RecordID(device: "van-7", source: "bench", fix: fix, cause: .distance), fix: fix, isMoving: true,
                cause: .distance, source: "bench")
        }
    }
}

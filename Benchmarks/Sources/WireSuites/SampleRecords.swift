import CoreWorkloads
public import TrackEngine

/// Records of the sample drive.
public enum SampleRecords {
    /// So many records.
    public static func make(_ count: Int) -> [TrackRecord] {
        drafts(count).enumerated().map {
            TrackRecord(sequence: RecordSequence(rawValue: Int64($0.offset + 1)), draft: $0.element)
        }
    }

    /// The sample drive, so many rounds later.
    public static func drafts(_ count: Int, round: Int = 0) -> [RecordDraft] {
        SampleTrack.fixes(count).map { fix in
            let time = fix.time.advanced(by: .seconds(round * count))
            let fix = Fix(
                time: time, coordinate: fix.coordinate, altitude: fix.altitude,
                ellipsoidalAltitude: fix.ellipsoidalAltitude, horizontalAccuracy: fix.horizontalAccuracy,
                verticalAccuracy: fix.verticalAccuracy, speed: fix.speed, speedAccuracy: fix.speedAccuracy,
                course: fix.course, courseAccuracy: fix.courseAccuracy, horizontalDilution: fix.horizontalDilution,
                positionDilution: fix.positionDilution, satellitesUsed: fix.satellitesUsed,
                satellitesVisible: fix.satellitesVisible, mode: fix.mode, status: fix.status)
            return RecordDraft(
                id: RecordID(device: "van-7", source: "bench", fix: fix, cause: .distance), fix: fix, isMoving: true,
                cause: .distance, source: "bench")
        }
    }
}

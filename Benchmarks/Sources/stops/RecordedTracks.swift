import Foundation
import TrackEngine
import TrackEngineFiles
import TrackEngineTune

/// Recorded tracks that lie elsewhere, with labels written by hand from the recordings, their reasons beside them:
/// `Benchmarks/StopLabels.json`, in the format that `trackd tune --trips --labels` reads.
///
/// The stretches of which we are not sure were added after the first run had shown where detectors and labels disagree; what is
/// found there counts for nobody. The logs of `gpsd` besides are too short for a stop, or binary.
enum RecordedTracks {
    /// The tracks in a folder; those that are not there are left out.
    static func tracks(in folder: String, labels path: String) throws -> [LabelledTrack] {
        guard !folder.isEmpty else { return [] }
        let labels = try TripLabelList([UInt8](Data(contentsOf: URL(fileURLWithPath: path))))
        return labels.tracks.compactMap { label in
            guard let data = FileManager.default.contents(atPath: folder + "/" + label.file) else { return nil }
            let format: TrackFormat = label.file.hasSuffix("nmea") ? .nmea : .gpx
            var reader = format.makeReader(startDate: Timestamp(secondsSince1970: 1_780_000_000))
            let fixes = reader.read([UInt8](data)).fixes + reader.finish().fixes
            guard let start = fixes.first?.time.seconds else { return nil }
            return LabelledTrack(
                name: label.file, fixes: fixes, rests: label.rests(from: start), unsure: label.unsure(from: start))
        }
    }
}

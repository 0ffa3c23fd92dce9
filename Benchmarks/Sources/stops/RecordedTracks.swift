import Foundation
import TrackEngine
import TrackEngineFormats

/// Recorded tracks that lie elsewhere, with labels written by hand from the recordings: seconds since the first fix.
///
/// | track | rest | why |
/// |---|---|---|
/// | sbn-v13 | 179 to 224 and six more below 55 s | the receiver's speed stays below 0.7 m/s: junctions |
/// | sbn-v13 | 2611 to 2673 | the same, 61 s: a junction; between the bounds at 60 s |
/// | tcxtest | 3536 to 3635 | eleven fixes in 99 s within 13 m, on a run |
/// | garmin-edge-800-output | 1979 to 2020 | no fix for 41 s, then 3 m farther, on a ride |
/// | cerknicko-jezero | 69 to 157, 450 to 572, 809 to 1005, 5873 to 6052, 6371 to 6519 | no fix for that long, then at most 13 m farther: a walker's receiver that records when it moves |
/// | cerknicko-jezero | unsure: 2449 to 2906, 5672 to 5873, 6052 to 6371, 6519 to 7190 | twelve fixes within 41 m and 22 within 85 m, at 0.2 to 0.3 m/s: a break, or a stroll |
/// | sbn-v13 | unsure: 1439 to 1530, 3351 to 3541 | moves by some 15 m at 0.4 to 0.7 m/s: a queue, or a junction |
/// | bike | none | the speed is never low for 25 s |
/// | paris.nmea | none | a synthetic drive at a constant speed |
///
/// The stretches of which we are not sure were added after the first run had shown where detectors and labels disagree; what is
/// found there counts for nobody.
///
/// The logs of `gpsd` besides are too short for a stop, or binary.
enum RecordedTracks {
    private static let labels: [(file: String, rests: [ClosedRange<Double>])] = [
        (
            "gpx/sbn-v13.gpx",
            [179...224, 1331...1384, 1746...1789, 1871...1924, 1976...2006, 2098...2133, 2611...2673, 3355...3396]
        ),
        ("gpx/tcxtest.gpx", [3536...3635]),
        ("gpx/garmin-edge-800-output.gpx", [1979...2020]),
        ("gpx/cerknicko-jezero.gpx", [69...157, 450...572, 809...1005, 5873...6052, 6371...6519]),
        ("gpx/bike.gpx", []),
        ("gpsd/paris.nmea", []),
    ]

    private static func spans(_ ranges: [ClosedRange<Double>], from start: Double) -> [TimeSpan] {
        ranges.map { TimeSpan(begin: start + $0.lowerBound, end: start + $0.upperBound) }
    }

    private static let unsure: [String: [ClosedRange<Double>]] = [
        "gpx/sbn-v13.gpx": [1439...1530, 3351...3541],
        "gpx/cerknicko-jezero.gpx": [2449...2906, 5672...5873, 6052...6371, 6519...7190],
    ]

    /// The tracks in a folder; those that are not there are left out.
    static func tracks(in folder: String) -> [LabelledTrack] {
        labels.compactMap { label in
            guard let data = FileManager.default.contents(atPath: folder + "/" + label.file) else { return nil }
            let format: TrackFormat = label.file.hasSuffix("nmea") ? .nmea : .gpx
            var reader = format.makeReader(startDate: Timestamp(secondsSince1970: 1_780_000_000))
            let fixes = reader.read([UInt8](data)).fixes + reader.finish().fixes
            guard let start = fixes.first?.time.seconds else { return nil }
            return LabelledTrack(
                name: label.file, fixes: fixes,
                rests: spans(label.rests, from: start), unsure: spans(unsure[label.file] ?? [], from: start))
        }
    }
}

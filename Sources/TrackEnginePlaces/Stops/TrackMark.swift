internal import TrackEngine

/// A moment of the track: its time, its position and the travel until then.
struct TrackMark: Sendable, Hashable, BitwiseCopyable {
    var time: Timestamp
    var coordinate: Coordinate
    var travelled: TravelReading
}

/// A fix in the form that the search of stops needs.
struct StopFix: Sendable, Hashable, BitwiseCopyable {
    let mark: TrackMark
    /// The accuracy in metres, 95 %.
    let accuracyInMetres: Float
    /// The speed in metres per second; NaN if none was measured.
    let speedOrNaN: Float
    /// The speed below which the object counts as at rest, in metres per second: the receiver's speed accuracy
    /// within bounds, because some receivers state far too large a value.
    let standingBelow: Float

    /// A placeholder for an empty slot.
    static let none = StopFix(
        Fix(time: Timestamp(nanosecondsSince1970: 0), coordinate: Coordinate(latitude: 0, longitude: 0)),
        travelled: TravelReading(), assumedAccuracy: 15)

    /// - Parameter assumedAccuracy: The accuracy of a fix without one, in metres.
    init(_ fix: Fix, travelled: TravelReading, assumedAccuracy: Double) {
        mark = TrackMark(time: fix.time, coordinate: fix.coordinate, travelled: travelled)
        accuracyInMetres = Float(fix.horizontalAccuracy ?? assumedAccuracy)
        speedOrNaN = fix.speed.map(Float.init) ?? .nan
        standingBelow = Float(min(max(fix.speedAccuracy ?? 0.5, 0.5), 1))
    }

    /// Restores a fix from its saved values.
    init(mark: TrackMark, accuracy: Float, speedOrNaN: Float, standingBelow: Float) {
        self.mark = mark
        accuracyInMetres = accuracy
        self.speedOrNaN = speedOrNaN
        self.standingBelow = standingBelow
    }

    var time: Timestamp { mark.time }
    var coordinate: Coordinate { mark.coordinate }
    var accuracy: Double { Double(accuracyInMetres) }
    /// The measured speed, in metres per second.
    var speed: Double? { speedOrNaN.isNaN ? nil : Double(speedOrNaN) }
    /// Whether the measured speed counts as zero; `nil` if none was measured.
    var isStanding: Bool? { speedOrNaN.isNaN ? nil : speedOrNaN < standingBelow }

    /// Whether the object rests at a place at this distance from the fix, in metres, given the scatter of the
    /// place's fixes.
    ///
    /// A measured speed is the best criterion. Without one, or for receivers that report false speeds indoors, the
    /// distance decides.
    func rests(atDistance distance: Double, scatter: Double) -> Bool {
        let core = max(10, accuracy, scatter)
        guard let isStanding else { return distance <= core }
        return isStanding || distance <= core / 2
    }
}

extension Timestamp {
    /// The seconds since an earlier time; negative if that is later.
    func seconds(since earlier: Timestamp) -> Double {
        let (nanoseconds, isBeyond) = nanosecondsSince1970.subtractingReportingOverflow(earlier.nanosecondsSince1970)
        // A duration's arithmetic in 128 bits costs a tenth of the processing time of a fix: it is used only for
        // times centuries apart.
        return isBeyond ? duration(since: earlier).inSeconds : Double(nanoseconds) / 1e9
    }

    /// The time plus a number of seconds; unchanged if that is not finite, as in a damaged state.
    func advanced(seconds: Double) -> Timestamp {
        guard seconds.isFinite else { return self }
        return advanced(by: .nanoseconds(Int64(min(max(seconds, -9e9), 9e9) * 1e9)))
    }
}

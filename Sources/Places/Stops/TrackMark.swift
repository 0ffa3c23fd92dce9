internal import TrackEngine

/// A moment of the track: when, where, and what had been travelled until then.
struct TrackMark: Sendable, Hashable, BitwiseCopyable {
    var time: Timestamp
    var coordinate: Coordinate
    var travelled: TravelReading
}

/// A fix as stops are found with it.
struct StopFix: Sendable, Hashable, BitwiseCopyable {
    /// In metres, for a fix that does not tell its accuracy: that of a phone between houses.
    static let assumedAccuracy = 10.0

    let mark: TrackMark
    /// Metres around the place, 95 %.
    let accuracyInMetres: Float
    /// Metres per second; no number where none was measured.
    let speedOrNaN: Float
    /// Below this speed the object counts as standing, in metres per second: the accuracy that the receiver states for
    /// speeds, between bounds, because some state it far too modestly.
    let standingBelow: Float

    /// What fills a place for a fix that is not there.
    static let none = StopFix(
        Fix(time: Timestamp(nanosecondsSince1970: 0), coordinate: Coordinate(latitude: 0, longitude: 0)),
        travelled: TravelReading())

    init(_ fix: Fix, travelled: TravelReading) {
        mark = TrackMark(time: fix.time, coordinate: fix.coordinate, travelled: travelled)
        accuracyInMetres = Float(fix.horizontalAccuracy ?? Self.assumedAccuracy)
        speedOrNaN = fix.speed.map(Float.init) ?? .nan
        standingBelow = Float(min(max(fix.speedAccuracy ?? 0.5, 0.5), 1))
    }

    /// A fix from what is kept of it.
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
    /// Whether the measured speed is none; `nil` where none was measured.
    var isStanding: Bool? { speedOrNaN.isNaN ? nil : speedOrNaN < standingBelow }

    /// Whether the object rests at a place this far from the fix, in metres, whose fixes scatter as far as `scatter`.
    ///
    /// A measured speed tells it best. Without one, or where receivers invent speeds indoors, the distance tells.
    func rests(atDistance distance: Double, scatter: Double) -> Bool {
        let core = max(10, accuracy, scatter)
        guard let isStanding else { return distance <= core }
        return isStanding || distance <= core / 2
    }
}

extension Timestamp {
    /// Seconds since an earlier moment; negative if that is later.
    func seconds(since earlier: Timestamp) -> Double {
        let (nanoseconds, isBeyond) = nanosecondsSince1970.subtractingReportingOverflow(earlier.nanosecondsSince1970)
        // A duration's arithmetic in 128 bits takes a tenth of a fix's time: only for what is centuries away.
        return isBeyond ? duration(since: earlier).inSeconds : Double(nanoseconds) / 1e9
    }

    /// The moment so many seconds later; the same for what is no number, as a damaged state may hold.
    func advanced(seconds: Double) -> Timestamp {
        guard seconds.isFinite else { return self }
        return advanced(by: .nanoseconds(Int64(min(max(seconds, -9e9), 9e9) * 1e9)))
    }
}

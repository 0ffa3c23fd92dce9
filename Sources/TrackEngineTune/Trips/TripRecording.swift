package import TrackEngine

/// A recorded track in the form that the detection of stays and trips receives in a running agent: the fixes that
/// pass the gates, each with the results of the pipeline.
package struct TripRecording: Sendable {
    /// The most fixes that are held over all tracks, about 1.5 GB.
    package static let limit = 10_000_000

    /// The fixes, with increasing times.
    package private(set) var fixes: [DetectorFix] = []
    /// The number of fixes in the file.
    package private(set) var read = 0
    /// The number of fixes that the gates refused.
    package private(set) var refused = 0
    /// The number of fixes after the limit was reached.
    package private(set) var leftOut = 0
    /// The time of the first fix of the file, refused or not, in seconds since 1970: labels count from it.
    package private(set) var start: Double?

    private var pipeline: TrackPipeline
    private let wallClock: Timestamp?
    private let limit: Int

    /// A recording before the first fix.
    ///
    /// - Parameters:
    ///   - wallClock: fixes dated a multiple of 1024 weeks after this time have lost count of their GPS weeks and
    ///     are corrected.
    ///   - limit: the most fixes to hold.
    package init(_ configuration: RecordingConfiguration, wallClock: Timestamp?, limit: Int = limit) {
        pipeline = TrackPipeline(configuration, timeBase: .fixTime)
        self.wallClock = wallClock
        self.limit = limit
    }

    /// Takes the next fixes of the track.
    package mutating func take(_ more: [Fix]) {
        for fix in more { take(fix) }
    }

    private mutating func take(_ fix: Fix) {
        read += 1
        start = start ?? fix.time.unixSeconds
        var verdict: Decision?
        pipeline.replay(fix, wallClock: wallClock) { verdict = $1 }  // the last one is about the fix itself
        if case .reject(let reason) = verdict, reason.isOfGates {
            refused += 1
            return
        }
        guard fixes.count < limit else {
            leftOut += 1
            return
        }
        let passed = pipeline.latest ?? fix
        fixes.append(
            DetectorFix(
                fix: passed, isMoving: pipeline.isMoving, odometer: pipeline.odometer, beginsLeg: fixes.isEmpty))
    }

    /// Whether the recording has enough fixes for a track.
    package var isUsable: Bool { fixes.count >= 2 }
}

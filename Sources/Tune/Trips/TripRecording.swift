package import TrackEngine

/// A recorded track as the detection of stays and trips sees it in a running agent: the fixes that pass the gates, each with
/// what the pipeline says of it.
package struct TripRecording: Sendable {
    /// How many fixes are held at most over all tracks, about 1.5 GB.
    package static let limit = 10_000_000

    /// The fixes, their times increasing.
    package private(set) var fixes: [ObservedFix] = []
    /// How many the file had.
    package private(set) var read = 0
    /// How many were refused by the gates.
    package private(set) var refused = 0
    /// How many came after the limit was reached.
    package private(set) var leftOut = 0
    /// When the first of the file was taken, refused or not: labels count from there. In seconds since 1970.
    package private(set) var start: Double?

    private var pipeline: TrackPipeline
    private let wallClock: Timestamp?
    private let limit: Int

    /// Nothing read yet.
    ///
    /// - Parameters:
    ///   - wallClock: fixes dated a multiple of 1024 weeks after this have lost count of their GPS weeks and are put right.
    ///   - limit: how many fixes to hold at most.
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
            ObservedFix(
                fix: passed, isMoving: pipeline.isMoving, odometer: pipeline.odometer, beginsLeg: fixes.isEmpty))
    }

    /// Whether there is a way to look at.
    package var isUsable: Bool { fixes.count >= 2 }
}

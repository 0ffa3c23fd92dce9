/// Rejects a fix that is only reachable from the previous one faster than ``RecordingConfiguration/maximumSpeed``.
struct SpeedGate: Sendable, Hashable, BitwiseCopyable {
    /// The speed accuracy that a receiver needs to be trusted, in m/s; Miataru's figure.
    private static let trustedAccuracy = 2.0

    /// In m/s.
    let maximum: Double
    /// In nanoseconds.
    private let within: Int64?
    /// In m/s.
    private let trusted: Double?

    /// Creates the gate of a configuration; `nil` if it sets no maximum.
    init?(_ configuration: RecordingConfiguration) {
        guard let maximum = configuration.maximumSpeed else { return nil }
        self.maximum = maximum
        within = configuration.maximumSpeedWithin.map(\.saturatedNanoseconds)
        trusted = configuration.trustedSpeed
    }

    @inline(__always)
    func refuses(_ fix: Fix, after last: ReferenceFix) -> Bool {
        last.impliedSpeed(to: fix) > maximum && isJudged(fix, after: last)
    }

    @inline(never)
    private func isJudged(_ fix: Fix, after last: ReferenceFix) -> Bool {
        if let within, fix.time.nanoseconds(since: last.time) > within { return false }
        guard let trusted, let speed = fix.speed, let accuracy = fix.speedAccuracy else { return true }
        return speed > trusted || accuracy > Self.trustedAccuracy
    }
}

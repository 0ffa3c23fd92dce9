internal import TrackEngine

/// Reports the source's status to the engine when it changes.
struct StatusReporter {
    private let output: FixOutput
    private var last: SourceStatus?

    init(output: FixOutput) {
        self.output = output
    }

    /// Records that the source skips epochs that are not demanded.
    mutating func noteSleep() {
        say(.sleeping)
    }

    /// Records the receiver's fix.
    mutating func note(_ fix: Fix?) {
        say(fix == nil ? .waiting(reason: "no satellites in a tunnel") : .receiving)
    }

    private mutating func say(_ status: SourceStatus) {
        guard status != last else { return }
        last = status
        output.status(status)
    }
}

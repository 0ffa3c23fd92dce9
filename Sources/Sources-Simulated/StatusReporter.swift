internal import TrackEngine

/// Tells the engine how the source is doing, when that changes.
struct StatusReporter {
    private let output: FixOutput
    private var last: SourceStatus?

    init(output: FixOutput) {
        self.output = output
    }

    /// Notes that the source passes over what nobody wants.
    mutating func noteSleep() {
        say(.sleeping)
    }

    /// Notes what the receiver saw.
    mutating func note(_ fix: Fix?) {
        say(fix == nil ? .waiting(reason: "no satellites in a tunnel") : .receiving)
    }

    private mutating func say(_ status: SourceStatus) {
        guard status != last else { return }
        last = status
        output.status(status)
    }
}

internal import Glibc
public import Logging
public import TrackEngine

/// Live fixes from gpsd.
///
/// The source holds one connection to the daemon on one thread of the operating system, so that nothing gpsd or the
/// network does can block the engine. It reads at once whatever arrives, merges the several reports of a moment into one
/// fix, and hands the fixes over through a bounded mailbox. Where gpsd is missing, goes away, falls silent or loses its
/// receiver, the source says so by its status, tries again with a growing wait, and goes on by itself.
///
/// Honours the tracker's demand: while one fix now and then is enough, it stops watching between two looks, so that gpsd
/// (run without `-n`) closes the receiver and lets it sleep.
///
/// ``run(_:)`` ends only by cancellation, within a few milliseconds.
public struct GPSDSource: FixSource {
    /// The source's name.
    public let id: SourceID
    /// Where gpsd is, and how patient the source is.
    public let configuration: Configuration

    private let resolver: Resolver
    private let logger: Logger

    /// Makes a source; nothing is opened before ``run(_:)``.
    ///
    /// - Parameters:
    ///   - id: the source's name.
    ///   - configuration: where gpsd is, and how patient the source is with it.
    ///   - logger: gets gpsd's release and protocol for each connection, at debug.
    /// - Throws: `ConfigurationError` with everything that is wrong with the configuration.
    public init(
        id: SourceID = "gpsd", configuration: Configuration = Configuration(),
        logger: Logger = Logger(label: "track-engine.gpsd")
    ) throws(ConfigurationError) {
        try configuration.validate()
        self.id = id
        self.configuration = configuration
        self.logger = logger
        resolver = Resolver(host: configuration.host, port: configuration.port)
    }

    /// Emits fixes until the task is cancelled.
    ///
    /// - Throws: `CancellationError` when cancelled, also by the output; ``GPSDError`` when the machine has no thread or
    ///   file descriptor left, in which case a later attempt may succeed.
    public func run(_ output: FixOutput) async throws {
        let demand = output.demand
        let control = try ReaderControl(demand: demand)
        let mailbox = FixMailbox<ReceivedFix>(capacity: configuration.mailboxCapacity)
        try startThread(control, mailbox, output)
        try await withTaskCancellationHandler {
            try await withThrowingTaskGroup { group in
                group.addTask { await Self.follow(output, from: demand, control) }
                do {
                    while let fixes = await mailbox.next() { try await output.emit(contentsOf: fixes) }
                } catch {
                    control.stop()
                    while await mailbox.next() != nil {}  // until the thread has gone
                    throw error
                }
                group.cancelAll()
            }
        } onCancel: {
            control.stop()
        }
        throw CancellationError()
    }

    private func startThread(
        _ control: ReaderControl, _ mailbox: FixMailbox<ReceivedFix>, _ output: FixOutput
    ) throws(GPSDError) {
        do throws(SystemError) {
            try OSThread.start { [self] in
                var loop = ReaderLoop(
                    configuration, resolver: resolver, control: control, mailbox: mailbox, output: output,
                    logger: logger)
                loop.run()
                mailbox.finish()
            }
        } catch { throw GPSDError(error) }
    }

    /// Passes on each change of the demand until the task is cancelled.
    private static func follow(_ output: FixOutput, from first: FixDemand, _ control: ReaderControl) async {
        var known = first
        while true {
            let wanted = await output.demand(otherThan: known)
            guard wanted != known else { return }  // cancelled
            known = wanted
            control.set(wanted)
        }
    }
}

/// The machine refused something that the source cannot work without; gpsd's own troubles are statuses, not errors.
public struct GPSDError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was refused.
    public let description: String

    init(_ description: String) { self.description = description }

    init(_ error: SystemError) { self.init("\(error.message): \(Self.reason(error.code))") }

    /// Why a call failed, as a status shows it: what a refused or lost connection means in gpsd's case has a text of its
    /// own, all else is the system's.
    static func reason(_ code: Int32) -> String {
        switch code {
        case EPIPE: "connection closed"
        case ETIMEDOUT: "no answer in time"
        case EHOSTUNREACH: "no route to the host"
        default: SystemError.reason(code).lowercased()
        }
    }
}

internal import Glibc
public import Logging
public import TrackEngine

/// Live fixes from gpsd.
///
/// The source has one connection to the daemon on a thread of the operating system, so gpsd and the network cannot
/// block the engine. It reads data at once, merges the reports of an epoch into one fix, and passes the fixes on
/// through a bounded queue. If gpsd is missing, disconnects, falls silent or loses its receiver, the source reports
/// that as its status and tries again with a growing wait until it recovers.
///
/// The source follows the tracker's demand: if an occasional fix is enough, it stops watching between two fixes, so
/// that gpsd (run without `-n`) closes the receiver, which can then sleep.
///
/// ``run(_:)`` ends only by cancellation, within a few milliseconds.
public struct GPSDSource: FixSource {
    /// The source's name.
    public let id: SourceID
    /// The address of gpsd, and the timeouts of the source.
    public let configuration: Configuration

    private let resolver: Resolver
    private let logger: Logger

    /// Creates a source; no connection is opened before ``run(_:)``.
    ///
    /// - Parameters:
    ///   - id: the source's name.
    ///   - configuration: the address of gpsd, and the timeouts of the source.
    ///   - logger: receives gpsd's release and protocol for each connection, at level debug.
    /// - Throws: `ConfigurationError` with all problems of the configuration.
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
    /// - Throws: `CancellationError` when cancelled, also by the output; ``GPSDError`` when the machine has no thread
    ///   or file descriptor left, in which case a later attempt may succeed.
    public func run(_ output: FixOutput) async throws {
        let demand = output.demand
        let control = try ReaderControl(demand: demand)
        let queue = FixQueue<ReceivedFix>(capacity: configuration.queueCapacity)
        try startThread(control, queue, output)
        try await withTaskCancellationHandler {
            try await withThrowingTaskGroup { group in
                group.addTask { await Self.follow(output, from: demand, control) }
                do {
                    while let fixes = await queue.next() { try await output.emit(contentsOf: fixes) }
                } catch {
                    control.stop()
                    while await queue.next() != nil {}  // until the thread has ended
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
        _ control: ReaderControl, _ queue: FixQueue<ReceivedFix>, _ output: FixOutput
    ) throws(GPSDError) {
        do throws(SystemError) {
            try SystemThread.start { [self] in
                var loop = ReaderLoop(
                    configuration, resolver: resolver, control: control, queue: queue, output: output,
                    logger: logger)
                loop.run()
                queue.finish()
            }
        } catch { throw GPSDError(error) }
    }

    /// Forwards each change of the demand until the task is cancelled.
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

/// The lack of a system resource that the source needs. Problems of gpsd itself are statuses, not errors.
public struct GPSDError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The resource that was not available.
    public let description: String

    init(_ description: String) { self.description = description }

    init(_ error: SystemError) { self.init("\(error.message): \(Self.reason(error.code))") }

    /// The reason why a call failed, for a status. Refused and lost connections have texts for the case of gpsd; all
    /// other texts are the system's.
    static func reason(_ code: Int32) -> String {
        switch code {
        case EPIPE: "connection closed"
        case ETIMEDOUT: "no answer in time"
        case EHOSTUNREACH: "no route to the host"
        default: SystemError.reason(code).lowercased()
        }
    }
}

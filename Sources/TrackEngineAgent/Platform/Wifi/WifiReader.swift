package import Logging
package import TrackEngine

/// A reading of the machine's wireless network.
package enum WifiReading: Sendable, Hashable {
    /// The network has not been read.
    case unread
    /// The machine is in a network.
    case connected(WifiNetwork)
    /// The machine is in no network.
    case disconnected
    /// The network cannot be read, with the reason.
    case unreadable(String)

    /// The network, if the machine is in one and it is known.
    package var network: WifiNetwork? {
        if case .connected(let network) = self { network } else { nil }
    }
}

/// The machine's wireless network, read every 15 seconds while it is wanted.
///
/// Querying the kernel may take milliseconds. It therefore happens on a separate thread and never while a record is
/// made: ``reading`` is the last reading.
package final class WifiReader: Sendable {
    /// Reads the network of an interface, or of any.
    package typealias Reader = @Sendable (_ interface: String?) -> WifiReading

    /// The interval between readings.
    package static let interval = Duration.seconds(15)

    /// The number of consecutive readings without a network that do not replace the previous one.
    static let mostMisses = 1

    private struct State: Sendable {
        /// The wanted reading; `nil` if none is wanted.
        var wanted: Demand?
        var reading = WifiReading.unread
        /// The number of consecutive readings without a network since one with a network.
        var misses = 0
    }

    private struct Demand: Sendable, Hashable {
        let interface: String?
    }

    private let reader: Reader
    private let clock: any Clock<Duration>
    private let logger: Logger
    private let state = SystemMutex(State())
    private let signal = WakeSignal()

    /// A gauge that does not read until it is asked to.
    package init(
        logger: Logger, clock: some Clock<Duration> = ContinuousClock(),
        reader: @escaping Reader = { WifiQuery.read(interface: $0) }
    ) {
        (self.logger, self.clock, self.reader) = (logger, clock, reader)
    }

    /// The last reading.
    package var reading: WifiReading { state.withLock { $0.reading } }

    /// The network that the machine is in, as far as it is known.
    package var current: WifiNetwork? { reading.network }

    /// Sets whether to read, and which interface. The last reading is discarded; the new setting applies from the
    /// next look on.
    package func read(_ isWanted: Bool, interface: String?) {
        let wanted = isWanted ? Demand(interface: interface) : nil
        let isNew = state.withLock { state in
            guard state.wanted != wanted else { return false }
            state.wanted = wanted
            // A reading of another interface is no longer valid.
            state.reading = .unread
            return true
        }
        if isNew { signal.raise() }
    }

    /// Reads once, if a reading is wanted.
    package func look() async {
        guard let wanted = state.withLock({ $0.wanted }) else { return }
        // If no thread can be started, the last reading stays.
        guard let reading = try? await SystemThread.run({ [reader] in reader(wanted.interface) }) else { return }
        let isNew = state.withLock { state in
            // The setting may have changed in the meantime.
            guard state.wanted == wanted, state.reading != reading else {
                state.misses = 0
                return false
            }
            // A scan or a short lack of memory is no departure: that takes two readings.
            if reading.network == nil, state.reading.network != nil, state.misses < Self.mostMisses {
                state.misses += 1
                return false
            }
            (state.reading, state.misses) = (reading, 0)
            return true
        }
        if isNew, case .unreadable(let reason) = reading {
            logger.warning("the wireless network cannot be read", metadata: ["reason": "\(reason)"])
        }
    }

    /// Reads repeatedly until cancelled.
    package func run() async {
        while !Task.isCancelled {
            await look()
            let isWanted = state.withLock { $0.wanted != nil }
            await signal.wait(for: isWanted ? Self.interval : nil, on: clock)
        }
    }
}

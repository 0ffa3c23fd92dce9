package import Logging
package import TrackEngine

/// What was found out about the machine's wireless network.
package enum WifiReading: Sendable, Hashable {
    /// Nobody has looked.
    case unread
    /// The machine is in a network.
    case connected(WifiNetwork)
    /// It is in none.
    case disconnected
    /// That cannot be found out, for a reason.
    case unreadable(String)

    /// The network, where there is one and it is known.
    package var network: WifiNetwork? {
        if case .connected(let network) = self { network } else { nil }
    }
}

/// The machine's wireless network, read every 15 seconds while somebody wants it.
///
/// Asking the kernel may take milliseconds, so it happens on a thread of its own and never while a record is made:
/// ``reading`` is the last reading.
package final class WifiGauge: Sendable {
    /// Finds out about the network of an interface, or of any.
    package typealias Reader = @Sendable (_ interface: String?) -> WifiReading

    /// How long a reading is good enough.
    package static let interval = Duration.seconds(15)

    /// How many readings in a row without a network leave the one before as it is.
    package static let mostMisses = 1

    private struct State: Sendable {
        /// What is wanted; `nil` while nothing is.
        var wanted: Wanted?
        var reading = WifiReading.unread
        /// How often in a row no network was read since one was.
        var misses = 0
    }

    private struct Wanted: Sendable, Hashable {
        let interface: String?
    }

    private let reader: Reader
    private let clock: any Clock<Duration>
    private let logger: Logger
    private let state = PthreadMutex(State())
    private let signal = WakeSignal()

    /// A gauge that reads nothing until it is told to.
    package init(
        logger: Logger, clock: some Clock<Duration> = ContinuousClock(),
        reader: @escaping Reader = { WirelessQuery.read(interface: $0) }
    ) {
        (self.logger, self.clock, self.reader) = (logger, clock, reader)
    }

    /// The last reading.
    package var reading: WifiReading { state.withLock { $0.reading } }

    /// The network in which the machine is, as far as that is known.
    package var current: WifiNetwork? { reading.network }

    /// Says whether to read, and of which interface; takes effect at the next look, or at once where nothing is to be read.
    package func read(_ isWanted: Bool, interface: String?) {
        let wanted = isWanted ? Wanted(interface: interface) : nil
        let isNew = state.withLock { state in
            guard state.wanted != wanted else { return false }
            state.wanted = wanted
            // What was read of another interface says nothing.
            state.reading = .unread
            return true
        }
        if isNew { signal.raise() }
    }

    /// Reads once, if that is wanted.
    package func look() async {
        guard let wanted = state.withLock({ $0.wanted }) else { return }
        // Without a thread left the last reading holds.
        guard let reading = try? await OSThread.run({ [reader] in reader(wanted.interface) }) else { return }
        let isNew = state.withLock { state in
            // It may have been told otherwise meanwhile.
            guard state.wanted == wanted, state.reading != reading else {
                state.misses = 0
                return false
            }
            // A scan or a moment without memory is no departure: that takes two readings.
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

    /// Reads again and again until cancelled.
    package func run() async {
        while !Task.isCancelled {
            await look()
            let isWanted = state.withLock { $0.wanted != nil }
            await signal.wait(for: isWanted ? Self.interval : nil, on: clock)
        }
    }
}

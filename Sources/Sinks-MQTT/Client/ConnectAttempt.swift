import CMosquitto
import TrackEngine

/// Makes a handle, looks up the name and begins to connect, on a thread of its own that may be abandoned.
///
/// The library looks names up with `getaddrinfo`, which has no deadline and cannot be interrupted. It checks
/// certificates against the name that it connects to, so it cannot be given an address instead. Only this thread
/// blocks then. When the lookup returns after the attempt was abandoned, the handle is destroyed with it.
final class ConnectAttempt: Sendable {
    private enum State {
        /// The thread is at work.
        case pending
        /// The connection is being made, and the handle can be taken.
        case ready(MosquittoConnection)
        /// The attempt failed.
        case failed(MQTTFailure)
        /// The client has given up; the thread may still be blocked.
        case abandoned
        /// The outcome was taken, or the thread ended after the attempt was abandoned.
        case over
    }

    /// The addresses of a name to try. The library only tries the next one when the first is refused at once, so
    /// after an address that drops packets the next attempt tries IPv4 only.
    enum Family {
        case any, ipv4
    }

    private let settings: ConnectionSettings
    private let family: Family
    private let wakeup: WakePipe
    private let state = SystemMutex(State.pending)

    init(_ settings: ConnectionSettings, family: Family, wakeup: WakePipe) {
        self.settings = settings
        self.family = family
        self.wakeup = wakeup
    }

    /// Starts the thread.
    func start() {
        do throws(SystemError) {
            try SystemThread.start { [self] in
                do throws(MQTTFailure) { finish(.ready(try connect())) } catch { finish(.failed(error)) }
            }
        } catch { finish(.failed(MQTTFailure(.system, "the system has no thread left"))) }
    }

    private func finish(_ end: State) {
        state.withLock { state in
            switch state {
            case .pending: state = end
            case .abandoned, .ready, .failed, .over: state = .over
            }
        }
        wakeup.wake()
    }

    /// Takes the outcome, once; `nil` as long as there is none.
    func take() -> Result<MosquittoConnection, MQTTFailure>? {
        state.withLock { state in
            switch state {
            case .ready(let handle):
                state = .over
                return .success(handle)
            case .failed(let failure):
                state = .over
                return .failure(failure)
            case .pending, .abandoned, .over: return nil
            }
        }
    }

    /// Gives up the attempt; its outcome will not be taken.
    func abandon() {
        state.withLock { state in
            switch state {
            case .pending: state = .abandoned
            case .ready, .failed, .abandoned, .over: state = .over
            }
        }
    }

    /// Whether the thread may still be blocked.
    var isPending: Bool {
        state.withLock { state in
            switch state {
            case .pending, .abandoned: true
            case .ready, .failed, .over: false
            }
        }
    }

    private func connect() throws(MQTTFailure) -> MosquittoConnection {
        settings.beforeLookup()
        let configuration = settings.configuration
        let credentials = try Credentials(configuration)
        let handle = try MosquittoConnection(
            clientID: configuration.effectiveClientID, cleanSession: configuration.sessionExpiry < .seconds(1),
            version: configuration.protocolVersion)
        try handle.prepare(settings, credentials)
        try handle.connect(configuration, only: family)
        handle.watchCertificate()
        return handle
    }
}

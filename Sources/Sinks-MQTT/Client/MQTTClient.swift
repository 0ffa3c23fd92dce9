import Logging
import TrackEngine

/// The client's interface for the rest of the sink. Its thread is started when first needed and ended by
/// ``close()``.
final class MQTTClient: Sendable {
    private enum State {
        /// No thread yet.
        case new
        /// The thread runs.
        case running
        /// The thread was requested to end, and these callers wait for it.
        case closing([CheckedContinuation<Void, Never>])
        /// The thread has ended.
        case ended
    }

    /// The longest time that ``close()`` waits for the thread.
    private static let patience = Duration.seconds(4)

    private let settings: ConnectionSettings
    private let backoff: Backoff
    private let connectMessages: ConnectMessages
    private let logger: Logger
    let queue = ClientQueue()
    private let life = SystemMutex(State.new)

    init(_ settings: ConnectionSettings, backoff: Backoff, connectMessages: ConnectMessages, logger: Logger) {
        self.settings = settings
        self.backoff = backoff
        self.connectMessages = connectMessages
        self.logger = logger
        if settings.configuration.confirm != nil { queue.update { $0.confirmed = 0 } }
    }

    /// Keeps a connection up from now on.
    func start() {
        let mustStart = life.withLock { life in
            switch life {
            case .new:
                life = .running
                return true
            case .running, .closing, .ended: return false
            }
        }
        guard mustStart else { return }
        do throws(SystemError) { try startThread() } catch {
            logger.error("the MQTT client does not start", metadata: ["error": "\(error)"])
            life.withLock { $0 = .new }
        }
    }

    private func startThread() throws(SystemError) {
        let wakeup = try WakePipe()
        queue.attach(wakeup)
        queue.request { $0.wantsConnection = true }
        try SystemThread.start { [self] in
            let state = ClientState(
                settings, backoff: backoff, connectMessages: connectMessages, queue: queue, logger: logger)
            ClientLoop(state, wakeup: wakeup).run()
            ended()
        }
    }

    /// Sends the messages in order and returns the result. It never throws, even when cancelled.
    ///
    /// - Parameters:
    ///   - ids: the ids of the records, in the order of the messages, if a consumer has to confirm them.
    ///   - confirmed: receives the number of messages, from the first on, that are settled so far.
    func deliver(
        _ messages: [RecordMessage], ids: [RecordID] = [], confirmed: @escaping @Sendable (Int) -> Void = { _ in }
    ) async -> DeliveryProgress.Result {
        start()
        let delivery = Delivery(messages, ids: ids, confirmed: confirmed)
        return await withTaskCancellationHandler {
            // Ordered by the lock, so a thread that was requested to end still sees the delivery.
            let isTaken = life.withLock { life in
                guard case .running = life else { return false }
                queue.request { $0.delivery = delivery }
                return true
            }
            if !isTaken { delivery.end(.none(DeliveryError(.retry(), "the sink is closed"))) }
            return await delivery.result()
        } onCancel: {
            delivery.end(.none(DeliveryError(.retry(), "cancelled")))
            queue.wakeThread()
        }
    }

    /// Publishes that the client goes offline, disconnects and ends the thread; returns within 5 s in any state of
    /// the network.
    ///
    /// The thread waits only for its own deadlines, so it always ends; a blocked name lookup is abandoned.
    func close() async {
        // Unstructured, because a cancelled task closes the client, too, and its child tasks would not wait at all.
        let patience = Task {
            try await ContinuousClock().sleep(for: Self.patience)
            stopWaiting()
        }
        await end()
        patience.cancel()
    }

    private func end() async {
        await withCheckedContinuation { continuation in
            let isOver = life.withLock { life in
                switch life {
                case .new:
                    life = .ended
                    return true
                case .running:
                    life = .closing([continuation])
                    return false
                case .closing(let waiters):
                    life = .closing(waiters + [continuation])
                    return false
                case .ended: return true
                }
            }
            if isOver { continuation.resume() } else { queue.request { $0.isClosing = true } }
        }
    }

    private func ended() {
        resumeWaiters(becoming: .ended)
    }

    private func stopWaiting() {
        resumeWaiters(becoming: .closing([]))
    }

    private func resumeWaiters(becoming next: State) {
        let waiters = life.withLock { life -> [CheckedContinuation<Void, Never>] in
            switch life {
            case .closing(let waiters):
                life = next
                return waiters
            case .new, .running, .ended: return []
            }
        }
        for waiter in waiters { waiter.resume() }
    }
}

extension DeliveryProgress.Result {
    /// No message was settled.
    static func none(_ error: DeliveryError) -> Self {
        Self(settled: 0, dead: [], failure: error)
    }
}

import HTTPDelivery
import OwnTracksFormat
import TrackEngine
import TrackEngineSettings

/// What replies said beside that they confirm a record: places go to the agent at once, commands wait until they are carried
/// out. Bounded in both.
final class ReplyInbox: Sendable {
    private struct State: Sendable {
        var agent: (any AgentServices)?
        var names = FriendNames()
        var commands: [CommandMessage] = []
        /// What was carried out just now, and not again before its time.
        var resting: Set<RemoteCommand> = []
        var counts = Counts()
    }

    /// What became of the messages.
    struct Counts: Sendable, Hashable {
        /// Places that the agent was told.
        var places = 0
        var commandsDone = 0
        /// Commands that were not allowed, were not understood, came too fast, or failed.
        var commandsRejected = 0
        /// Messages that could not be read.
        var unreadable = 0
    }

    /// How many commands wait.
    static let capacity = 16
    /// How soon a command is carried out again. A receiver that says the same in each reply would make a record and a request of
    /// each of its replies.
    static let rest = Duration.seconds(10)

    /// Raised when commands have come in.
    let news = WakeSignal()
    private let own: String
    private let source: SourceID
    private let allowed: Set<RemoteCommand>
    private let now: @Sendable () -> Timestamp
    private let state = PthreadMutex(State())

    init(
        of configuration: OwnTracksSink.Configuration, source: SourceID, now: @escaping @Sendable () -> Timestamp
    ) {
        self.now = now
        own = "\(configuration.user)/\(configuration.deviceID)"
        allowed = configuration.commands
        self.source = source
    }

    /// Names the agent that is told.
    func attach(_ agent: any AgentServices) { state.withLock { $0.agent = agent } }

    /// Who carries out commands.
    var agent: (any AgentServices)? { state.withLock { $0.agent } }

    /// What became of the messages so far.
    var counts: Counts { state.withLock { $0.counts } }

    /// Takes a reply that has confirmed a record.
    ///
    /// - Parameter takesCommands: off for the reply to an answer: commands that answer themselves would never end.
    func take(_ reply: Reply, secret: OwnTracksSecret?, takesCommands: Bool) {
        guard !reply.body.isEmpty else { return }
        guard !reply.isCut else { return state.withLock { $0.counts.unreadable += 1 } }
        let received = ReceivedReply(reply.body, secret: secret)
        let requests = takesCommands ? received.commands.map { CommandMessage($0, allowed: allowed) } : []
        let (agent, devices) = state.withLock { state in
            state.counts.unreadable += received.unreadable
            for request in requests {
                if let kind = request.kind, state.commands.count < Self.capacity, !state.resting.contains(kind),
                    !state.commands.contains(where: { $0.kind == kind })
                {
                    state.commands.append(request)
                } else {
                    state.counts.commandsRejected += 1
                }
            }
            let devices = state.names.devices(of: received.friends, except: own, source: source, now: now())
            state.counts.places += devices.count
            return (state.agent, devices)
        }
        if let agent { for device in devices { agent.report(device) } }
        if !requests.isEmpty { news.raise() }
    }

    /// The next command, in the order in which they came.
    func next() -> CommandMessage? {
        state.withLock { $0.commands.isEmpty ? nil : $0.commands.removeFirst() }
    }

    /// Carries a command out no more until it has rested.
    func beginRest(of kind: RemoteCommand) { state.withLock { _ = $0.resting.insert(kind) } }

    /// Carries a command out again.
    func endRest(of kind: RemoteCommand) { state.withLock { _ = $0.resting.remove(kind) } }

    /// Notes what became of a command.
    func note(isDone: Bool) {
        state.withLock { if isDone { $0.counts.commandsDone += 1 } else { $0.counts.commandsRejected += 1 } }
    }
}

extension CommandMessage {
    /// Which command it is; `nil` for none.
    var kind: RemoteCommand? {
        switch self {
        case .command(let command): command
        case .configure: .setConfiguration
        case .startTrip: .startTrip
        case .keepWaypoints: .setWaypoints
        case .rejected: nil
        }
    }
}

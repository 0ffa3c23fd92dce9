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
        /// What was carried out just now: not again, and another one of its kind not before its time.
        var resting: [RemoteCommand: CommandMessage] = [:]
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
    /// How soon a command of a kind is carried out after another. A receiver that says the same in each reply would make a record and
    /// a request of each of its replies: what was said just now is not done again. Another one waits, such as more waypoints.
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
                if let kind = request.kind, state.commands.count < Self.capacity, state.resting[kind] != request,
                    !state.commands.contains(request)
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

    /// The next command, in the order in which they came, of those whose kind does not rest.
    func next() -> CommandMessage? {
        state.withLock { state in
            let place = state.commands.firstIndex { $0.kind.map { state.resting[$0] == nil } ?? true }
            return place.map { state.commands.remove(at: $0) }
        }
    }

    /// Carries out no command of the kind until it has rested.
    func beginRest(of kind: RemoteCommand, after command: CommandMessage) {
        state.withLock { $0.resting[kind] = command }
    }

    /// Carries out commands of the kind again.
    func endRest(of kind: RemoteCommand) {
        state.withLock { $0.resting[kind] = nil }
        news.raise()
    }

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

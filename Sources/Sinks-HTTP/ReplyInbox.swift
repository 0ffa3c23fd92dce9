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

    /// Raised when commands have come in.
    let news = WakeSignal()
    private let own: String
    private let source: SourceID
    private let allowed: Set<RemoteCommand>
    private let state = PthreadMutex(State())

    init(of configuration: OwnTracksSink.Configuration, source: SourceID) {
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
    func take(_ reply: Reply, secret: OwnTracksSecret?) {
        guard !reply.body.isEmpty else { return }
        guard !reply.isCut else { return state.withLock { $0.counts.unreadable += 1 } }
        let received = ReceivedReply(reply.body, secret: secret)
        let requests = received.commands.map { CommandMessage($0, allowed: allowed) }
        let (agent, devices) = state.withLock { state in
            state.counts.unreadable += received.unreadable
            for request in requests {
                if case .rejected = request {
                    state.counts.commandsRejected += 1
                } else if state.commands.count < Self.capacity {
                    state.commands.append(request)
                } else {
                    state.counts.commandsRejected += 1
                }
            }
            let devices = state.names.devices(of: received.friends, except: own, source: source)
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

    /// Notes what became of a command.
    func note(isDone: Bool) {
        state.withLock { if isDone { $0.counts.commandsDone += 1 } else { $0.counts.commandsRejected += 1 } }
    }
}

import OwnTracksFormat
import TrackEngine
import TrackEngineSettings

/// The content of replies: places are passed to the agent at once, commands are queued until they are executed. Both
/// are bounded.
final class ReplyInbox: Sendable {
    private struct State: Sendable {
        var agent: (any RemoteCommandHandler & FollowReporter)?
        var names = FriendNameTable()
        var commands: [RemoteRequest] = []
        /// The last executed command of each resting kind: it is not repeated, and another one of its kind is
        /// delayed.
        var resting: [RemoteCommand: RemoteRequest] = [:]
        var counts = Counts()
    }

    /// The numbers of messages by result.
    struct Counts: Sendable, Hashable {
        /// Places that were passed to the agent.
        var places = 0
        var commandsDone = 0
        /// Commands that were not allowed, were not understood, exceeded the queue, repeated an earlier one, or
        /// failed.
        var commandsRejected = 0
        /// Messages that could not be read.
        var unreadable = 0
    }

    /// The longest queue of commands.
    static let capacity = 16
    /// The interval between two commands of a kind. A receiver that repeats a command in each reply would otherwise
    /// cause a record and a request with each of its replies, so a command equal to the last one is rejected. A
    /// different one is delayed, such as more waypoints.
    static let rest = Duration.seconds(10)

    /// Raised when commands have arrived.
    let news = WakeSignal()
    private let own: String
    private let source: SourceID
    private let allowed: Set<RemoteCommand>
    private let now: @Sendable () -> Timestamp
    private let state = SystemMutex(State())

    init(
        of configuration: OwnTracksSink.Configuration, source: SourceID, now: @escaping @Sendable () -> Timestamp
    ) {
        self.now = now
        own = "\(configuration.user)/\(configuration.deviceID)"
        allowed = configuration.commands
        self.source = source
    }

    /// Sets the agent that receives places and commands.
    func attach(_ agent: any RemoteCommandHandler & FollowReporter) { state.withLock { $0.agent = agent } }

    /// The agent that executes commands.
    var agent: (any RemoteCommandHandler & FollowReporter)? { state.withLock { $0.agent } }

    /// The numbers of messages by result.
    var counts: Counts { state.withLock { $0.counts } }

    /// Reads a reply that has confirmed a record.
    ///
    /// - Parameter takesCommands: `false` for the reply to an answer, so that commands in replies to answers cannot
    ///   form a loop.
    func take(_ reply: Reply, secret: OwnTracksSecret?, takesCommands: Bool) {
        guard !reply.body.isEmpty else { return }
        guard !reply.isCut else { return state.withLock { $0.counts.unreadable += 1 } }
        let received = ReceivedReply(reply.body, secret: secret)
        // Rejected ones are counted.
        let requests =
            takesCommands ? received.commands.map { try? RemoteRequest(ownTracks: $0, allowed: allowed) } : []
        let (agent, devices) = state.withLock { state in
            state.counts.unreadable += received.unreadable
            for request in requests {
                if let request, state.commands.count < Self.capacity, state.resting[request.command] != request,
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

    /// The next command, in order of arrival, of those with a kind that does not rest.
    func next() -> RemoteRequest? {
        state.withLock { state in
            let place = state.commands.firstIndex { state.resting[$0.command] == nil }
            return place.map { state.commands.remove(at: $0) }
        }
    }

    /// Suspends commands of the request's kind until it has rested.
    func beginRest(after request: RemoteRequest) {
        state.withLock { $0.resting[request.command] = request }
    }

    /// Allows commands of the kind again.
    func endRest(of kind: RemoteCommand) {
        state.withLock { $0.resting[kind] = nil }
        news.raise()
    }

    /// Counts the result of a command.
    func note(isDone: Bool) {
        state.withLock { if isDone { $0.counts.commandsDone += 1 } else { $0.counts.commandsRejected += 1 } }
    }
}

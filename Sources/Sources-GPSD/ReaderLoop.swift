internal import GPSDProtocol
internal import Logging
internal import TrackEngine

/// The main loop of gpsd's thread: connect, run the session, wait, and repeat, until it is stopped.
///
/// All decisions are made by ``GPSDSession``; this type has only the socket, the clock and the texts about the
/// connection.
struct ReaderLoop: ~Copyable {
    /// The end of a connection.
    private enum End {
        case stopped
        /// gpsd is not reachable any more; the text is the reason.
        case lost(String, hadSpoken: Bool)
        /// The connection broke while it was not needed; try again at this time.
        case asleep(until: Duration)
    }

    private let configuration: GPSDSource.Configuration
    private let connector: HostConnection
    private let control: ReaderControl
    private let queue: FixQueue<ReceivedFix>
    private let output: FixOutput
    private let logger: Logger
    private var decoder = LibgpsDecoder()
    private var backoff: GPSDBackoff
    private var lastStatus: SourceStatus?
    private var chunk = [UInt8](repeating: 0, count: 16_384)

    init(
        _ configuration: GPSDSource.Configuration, resolver: Resolver, control: ReaderControl,
        queue: FixQueue<ReceivedFix>,
        output: FixOutput, logger: Logger
    ) {
        self.configuration = configuration
        self.control = control
        self.queue = queue
        self.output = output
        self.logger = logger
        connector = HostConnection(resolver: resolver, control: control, timeout: configuration.connectTimeout)
        backoff = GPSDBackoff(first: configuration.reconnectFirst, most: configuration.reconnectMost)
    }

    /// Runs until the control stops the thread.
    mutating func run() {
        while !control.isStopping {
            switch attempt() {
            case .stopped: return
            case .lost(let reason, let hadSpoken):
                if hadSpoken { backoff.reset() }
                let wait = backoff.wait()
                say(.unavailable(reason: "\(reason); trying again in \(wait.inWords)"))
                pause(until: control.now + wait)
            case .asleep(let moment):
                pause(until: moment, orUntilDemandIsContinuous: true)
            }
        }
    }

    private mutating func attempt() -> End {
        if lastStatus != .sleeping { say(.connecting) }
        do {
            switch try connector.connect() {
            case .stopped: return .stopped
            case .failed(let reason):
                return .lost("no answer at \(configuration.place): \(reason)", hadSpoken: false)
            case .connected(let socket): return runSession(on: socket)
            }
        } catch {
            return .lost(error.description, hadSpoken: false)
        }
    }

    private func pause(until moment: Duration, orUntilDemandIsContinuous mayWake: Bool = false) {
        while !control.isStopping, control.now < moment {
            if mayWake, control.demand == .continuous { return }
            _ = control.wait(until: moment)
        }
    }

    /// Reports the source's status if it has changed.
    private mutating func say(_ status: SourceStatus) {
        guard status != lastStatus else { return }
        lastStatus = status
        output.status(status)
    }
}

// MARK: - One connection

extension ReaderLoop {
    private mutating func runSession(on socket: borrowing Socket) -> End {
        var splitter = GPSDLineSplitter()
        var demand = control.demand
        var session = GPSDSession(configuration, demand: demand, at: control.now)
        var end = perform(session.opening, on: socket)
        while end == nil {
            switch control.wait(for: socket.descriptor, until: session.deadline) {
            case .woken:
                guard !control.isStopping else { return .stopped }
                guard demand != control.demand else { continue }
                demand = control.demand
                end = perform(session.demand(demand, at: control.now), on: socket)
            case .timedOut:
                break
            case .ready:
                end = read(from: socket, &splitter, &session)
            }
            // Check after reading, too: a flood of data must not delay a timer.
            if end == nil, session.deadline <= control.now {
                end = perform(session.timeout(at: control.now), on: socket)
            }
        }
        for action in session.lastWords(at: control.now) { _ = perform(action) }
        switch session.loss {
        case .harmless(let moment): return .asleep(until: moment)
        case .outage:
            let reason = "lost gpsd at \(configuration.place): \(end ?? "unknown")"
            return .lost(reason, hadSpoken: session.hasSpoken)
        }
    }

    /// Reads once and handles every line; returns the reason if the connection has ended.
    private mutating func read(
        from socket: borrowing Socket, _ splitter: inout GPSDLineSplitter, _ session: inout GPSDSession
    ) -> String? {
        switch socket.read(into: &chunk) {
        case .nothing: return nil
        case .ended(let reason): return reason
        case .bytes(let count):
            var pieces: [GPSDLineSplitter.Part] = []
            splitter.append(chunk[..<count]) { pieces.append($0) }
            for piece in pieces {
                if let end = perform(actions(for: piece, in: &session), on: socket) { return end }
            }
            return nil
        }
    }

    private mutating func actions(
        for piece: GPSDLineSplitter.Part, in session: inout GPSDSession
    ) -> [GPSDSession.Action] {
        switch piece {
        case .oversized:
            let bound = GPSDLineSplitter.protocolBound
            return [.report(SourceProblem(.oversized, "expected at most \(bound) bytes in a line of gpsd"))]
        case .line(let line):
            do {
                return session.received(try decoder.decode(line), at: control.now)
            } catch {
                return [.report(SourceProblem(.malformed, "gpsd: \(error.message)"))]
            }
        }
    }

    /// Performs the actions of the session; returns the reason if the connection has ended.
    private mutating func perform(_ actions: [GPSDSession.Action], on socket: borrowing Socket) -> String? {
        for action in actions {
            if case .send(let request) = action, !socket.send(request.rawValue) { return "it takes no requests" }
            if let end = perform(action) { return end }
        }
        return nil
    }

    /// Performs an action that needs no socket.
    private mutating func perform(_ action: GPSDSession.Action) -> String? {
        switch action {
        case .send: break
        case .emit(let fix):
            if queue.post(output.received(fix)) {
                output.report(SourceProblem(.overflow, "the engine was too slow for gpsd; the oldest fix was dropped"))
            }
        case .status(let status): say(status)
        case .report(let problem): output.report(problem)
        case .introduced(let release, let protocolVersion):
            logger.debug("connected to gpsd", metadata: ["release": "\(release)", "protocol": "\(protocolVersion)"])
        case .end(let reason): return reason
        }
        return nil
    }
}

extension GPSDSource.Configuration {
    /// Host and port as one text.
    fileprivate var place: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}

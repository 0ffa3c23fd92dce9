import Glibc
import NIOCore
import NIOPosix
import Synchronization
import TrackEngine

/// The signals that a running agent handles, as an asynchronous sequence of events.
///
/// A second request to end ends the process at once, from within the signal handler, so it works in any state of the
/// process. SIGPIPE is ignored: writes report `EPIPE`. ServiceLifecycle's signals could do neither: they are a
/// Dispatch source with events that wait for a task, and it is made when the program already runs.
struct ProcessSignalSequence: Sendable {
    /// A request from outside the process.
    enum Event: UInt8, Sendable {
        /// End gracefully: SIGTERM or SIGINT, and SIGHUP on a terminal, which sends it when it closes.
        case end = 1
        /// Read the configuration again: SIGHUP elsewhere.
        case reload = 2
    }

    private let arrivals: NIOAsyncChannel<ByteBuffer, Never>

    /// Takes over the signals, for the rest of the process's life. Only one instance may be made.
    ///
    /// - Parameter hangup: the meaning of SIGHUP.
    init(on group: any EventLoopGroup, hangup: Event) async throws(SystemError) {
        let pipe = try Descriptor.pipe()
        arrivals = try await Self.channel(reading: pipe.reading, on: group)
        requestsToEnd.store(0, ordering: .relaxed)
        hasToldEnd.store(false, ordering: .relaxed)
        hangupEvent.store(hangup.rawValue, ordering: .relaxed)
        // The handler is never removed, so its end of the pipe is never closed.
        relay.store(dup(pipe.writing.raw), ordering: .sequentiallyConsistent)
        signal(SIGPIPE, SIG_IGN)
        for number in [SIGTERM, SIGINT, SIGHUP] { try Self.handle(number) }
        if hangupIsHeld.exchange(false, ordering: .sequentiallyConsistent) { signalArrived(SIGHUP) }
    }

    /// Holds a SIGHUP that arrives before ``init(on:hangup:)``, if SIGHUP requests a reload; it would otherwise end
    /// the process. Call it first of all.
    static func holdHangup() {
        guard !Terminal.output.isInteractive, relay.load(ordering: .relaxed) < 0 else { return }
        // The globals that the handler uses are initialised before it can run.
        hangupIsHeld.store(false, ordering: .relaxed)
        requestsToEnd.store(0, ordering: .relaxed)
        hangupEvent.store(Event.reload.rawValue, ordering: .relaxed)
        try? handle(SIGHUP)  // if this fails, SIGHUP ends a process that has just started
    }

    private static func handle(_ number: Int32) throws(SystemError) {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = signalArrived
        action.sa_flags = SA_RESTART
        guard sigaction(number, &action, nil) == 0 else { throw SystemError("cannot handle signal \(number)") }
    }

    private static func channel(
        reading: Descriptor, on group: any EventLoopGroup
    ) async throws(SystemError) -> NIOAsyncChannel<ByteBuffer, Never> {
        // The channel owns the descriptor that it reads from; `reading` is closed by its owner.
        let copy = fcntl(reading.raw, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw SystemError("cannot make a pipe") }
        do {
            return try await NIOPipeBootstrap(group: group).takingOwnershipOfDescriptor(input: copy) { channel in
                channel.eventLoop.makeCompletedFuture { try NIOAsyncChannel(wrappingChannelSynchronously: channel) }
            }
        } catch {
            throw SystemError("cannot read a pipe", code: (error as? IOError)?.errnoCode ?? EIO)
        }
    }

    /// Calls `body` with each event until the task is cancelled; ``Event/end`` comes only once.
    func deliver(to body: (Event) async -> Void) async {
        // Throws when the task is cancelled; the other end of the pipe is never closed.
        try? await arrivals.executeThenClose { arrivals in
            for try await bytes in arrivals {
                for event in bytes.readableBytesView.compactMap(Event.init) {
                    // A terminal that closes may send SIGHUP twice, by the kernel and by its shell.
                    if event == .end, hasToldEnd.exchange(true, ordering: .relaxed) { continue }
                    await body(event)
                }
            }
        }
    }

    /// Stops reading, in a program that ends before it calls ``deliver(to:)``: the channel must end before its event loop.
    /// The handler stays.
    func close() async {
        // Fails if the channel is closed. Only an iterator ends a sequence that waits for one.
        try? await arrivals.executeThenClose { _ = $0.makeAsyncIterator() }
    }

    /// Sends ``Event/end`` when a pipe has no reader any more. A separate thread waits for that, as long as the pipe
    /// has a reader. An event loop would make the pipe non-blocking, and other writers use it as well.
    static func end(whenClosed pipe: Descriptor) {
        // If the system cannot start a thread, the next write finds the pipe closed.
        try? SystemThread.start {
            var entry = pollfd(fd: pipe.raw, events: 0, revents: 0)
            while poll(&entry, 1, -1) < 1 {}
            var byte = Event.end.rawValue
            _ = write(relay.load(ordering: .acquiring), &byte, 1)
        }
    }
}

/// The descriptor that the signal handler writes to. A handler can only use globals, and only those that need no
/// lock. All of them are used, and thereby initialised, before the handler is installed.
private let relay = Atomic<Int32>(-1)
private let requestsToEnd = Atomic<Int>(0)
private let hangupEvent = Atomic<UInt8>(ProcessSignalSequence.Event.reload.rawValue)
private let hasToldEnd = Atomic<Bool>(false)
/// Whether a SIGHUP arrived before there was a descriptor to write to.
private let hangupIsHeld = Atomic<Bool>(false)

/// Runs in signal context: atomics, write(2) and _exit(2) only.
private func signalArrived(_ number: Int32) {
    let saved = errno
    var byte = hangupEvent.load(ordering: .relaxed)
    if number != SIGHUP {
        if requestsToEnd.add(1, ordering: .relaxed).oldValue > 0 { _exit(128 + number) }
        byte = ProcessSignalSequence.Event.end.rawValue
    }
    let descriptor = relay.load(ordering: .sequentiallyConsistent)
    if descriptor < 0, number == SIGHUP {
        hangupIsHeld.store(true, ordering: .sequentiallyConsistent)
    } else {
        _ = write(descriptor, &byte, 1)
    }
    errno = saved
}

import Glibc
import NIOCore
import NIOPosix
import Synchronization
import TrackEngine

/// The signals that a running agent acts on, as an asynchronous sequence of events.
///
/// A second request to end ends the process at once, from within the signal handler, so that it works whatever the rest
/// of the process is doing. SIGPIPE is ignored: writes report `EPIPE`. ServiceLifecycle's signals could do neither: they
/// are a Dispatch source whose events wait for a task to take them, and it is made when the program already runs.
struct ProcessSignals: Sendable {
    /// What somebody outside wants.
    enum Event: UInt8, Sendable {
        /// End gracefully: SIGTERM or SIGINT, and SIGHUP where a terminal that closes sends it.
        case end = 1
        /// Read the configuration again: SIGHUP elsewhere.
        case reload = 2
    }

    private let arrivals: NIOAsyncChannel<ByteBuffer, Never>

    /// Takes the signals over, for the rest of the process's life. Only one may be made.
    ///
    /// - Parameter hangup: what SIGHUP means.
    init(on group: any EventLoopGroup, hangup: Event) async throws(SystemError) {
        let pipe = try Descriptor.pipe()
        arrivals = try await Self.channel(reading: pipe.reading, on: group)
        requestsToEnd.store(0, ordering: .relaxed)
        hasToldEnd.store(false, ordering: .relaxed)
        hangupEvent.store(hangup.rawValue, ordering: .relaxed)
        // The handler outlives everything: its end of the pipe is never closed.
        relay.store(dup(pipe.writing.raw), ordering: .sequentiallyConsistent)
        signal(SIGPIPE, SIG_IGN)
        for number in [SIGTERM, SIGINT, SIGHUP] { try Self.handle(number) }
        if hangupIsHeld.exchange(false, ordering: .sequentiallyConsistent) { signalArrived(SIGHUP) }
    }

    /// Lets a SIGHUP that comes before ``init(on:hangup:)`` wait for it, where SIGHUP asks for a reload: it would end
    /// the process. To be called before anything else.
    static func holdHangup() {
        guard !Terminal.output.isInteractive, relay.load(ordering: .relaxed) < 0 else { return }
        // What the handler reaches is initialised before it can run.
        hangupIsHeld.store(false, ordering: .relaxed)
        requestsToEnd.store(0, ordering: .relaxed)
        hangupEvent.store(Event.reload.rawValue, ordering: .relaxed)
        try? handle(SIGHUP)  // then SIGHUP ends a process that has just started
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
        // The channel owns what it reads from, `reading` is closed by its owner.
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

    /// Calls `body` with each event, of which ``Event/end`` comes once, until the task is cancelled.
    func deliver(to body: (Event) async -> Void) async {
        // It throws when the task is cancelled; nobody closes the other end of the pipe.
        try? await arrivals.executeThenClose { arrivals in
            for try await bytes in arrivals {
                for event in bytes.readableBytesView.compactMap(Event.init) {
                    // A terminal that closes may hang up twice, by the kernel and by its shell.
                    if event == .end, hasToldEnd.exchange(true, ordering: .relaxed) { continue }
                    await body(event)
                }
            }
        }
    }

    /// Stops reading, in a program that ends before it calls ``deliver(to:)``: the channel must end before its event loop.
    /// The handler stays.
    func close() async {
        // It fails when the channel is closed. Only an iterator ends what waits for one.
        try? await arrivals.executeThenClose { _ = $0.makeAsyncIterator() }
    }

    /// Makes ``Event/end`` of the moment at which nobody reads a pipe any more. A thread waits for it, which lives as long
    /// as the pipe is read: an event loop would make the pipe, which others write to as well, non-blocking.
    static func end(whenClosed pipe: Descriptor) {
        // Where the system has no thread left, the next write finds the pipe closed.
        try? OSThread.start {
            var entry = pollfd(fd: pipe.raw, events: 0, revents: 0)
            while poll(&entry, 1, -1) < 1 {}
            var byte = Event.end.rawValue
            _ = write(relay.load(ordering: .acquiring), &byte, 1)
        }
    }
}

/// The descriptor that the signal handler writes to. A handler can reach nothing but globals, and of those only what
/// needs no lock; both are touched, and thereby initialised, before the handler is installed.
private let relay = Atomic<Int32>(-1)
private let requestsToEnd = Atomic<Int>(0)
private let hangupEvent = Atomic<UInt8>(ProcessSignals.Event.reload.rawValue)
private let hasToldEnd = Atomic<Bool>(false)
/// Whether a SIGHUP came before there was anything to write to.
private let hangupIsHeld = Atomic<Bool>(false)

/// Runs in signal context: atomics, write(2) and _exit(2) only.
private func signalArrived(_ number: Int32) {
    let saved = errno
    var byte = hangupEvent.load(ordering: .relaxed)
    if number != SIGHUP {
        if requestsToEnd.add(1, ordering: .relaxed).oldValue > 0 { _exit(128 + number) }
        byte = ProcessSignals.Event.end.rawValue
    }
    let descriptor = relay.load(ordering: .sequentiallyConsistent)
    if descriptor < 0, number == SIGHUP {
        hangupIsHeld.store(true, ordering: .sequentiallyConsistent)
    } else {
        _ = write(descriptor, &byte, 1)
    }
    errno = saved
}

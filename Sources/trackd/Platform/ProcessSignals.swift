import Glibc
import Synchronization

/// The signals that a running agent acts on, as an asynchronous sequence of events.
///
/// A second request to end ends the process at once, from within the signal handler, so that it works whatever the rest
/// of the process is doing. SIGPIPE is ignored: writes report `EPIPE`.
struct ProcessSignals: Sendable {
    /// What somebody outside wants.
    enum Event: UInt8, Sendable {
        /// End gracefully: SIGTERM or SIGINT.
        case end = 1
        /// Read the configuration again: SIGHUP.
        case reload = 2
    }

    private let reading: Descriptor
    private let poller: DescriptorPoller

    /// Takes the signals over, for the rest of the process's life. Only one may be made.
    init(poller: DescriptorPoller) throws(SystemError) {
        let pipe = try Descriptor.pipe()
        reading = pipe.reading
        self.poller = poller
        // The handler outlives everything: its end of the pipe is never closed.
        relay.store(dup(pipe.writing.raw), ordering: .releasing)
        requestsToEnd.store(0, ordering: .relaxed)
        signal(SIGPIPE, SIG_IGN)
        for number in [SIGTERM, SIGINT, SIGHUP] {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = handle
            action.sa_flags = SA_RESTART
            guard sigaction(number, &action, nil) == 0 else { throw SystemError("cannot handle signal \(number)") }
        }
    }

    /// The next event; `nil` when the task is cancelled.
    func next() async -> Event? {
        while !Task.isCancelled {
            var byte: UInt8 = 0
            if read(reading.raw, &byte, 1) == 1, let event = Event(rawValue: byte) { return event }
            if await poller.wait(until: .readable, reading) == .cancelled { return nil }
        }
        return nil
    }
}

/// The descriptor that the signal handler writes to. A handler can reach nothing but globals, and of those only what
/// needs no lock; both are touched, and thereby initialised, before the handler is installed.
private let relay = Atomic<Int32>(-1)
private let requestsToEnd = Atomic<Int>(0)

/// Runs in signal context: atomics, write(2) and _exit(2) only.
private func handle(_ number: Int32) {
    let saved = errno
    var byte = ProcessSignals.Event.reload.rawValue
    if number != SIGHUP {
        if requestsToEnd.add(1, ordering: .relaxed).oldValue > 0 { _exit(128 + number) }
        byte = ProcessSignals.Event.end.rawValue
    }
    _ = write(relay.load(ordering: .acquiring), &byte, 1)
    errno = saved
}

internal import Glibc
internal import Synchronization
internal import TrackEngine

/// What the engine's task tells gpsd's thread, and how the thread waits: for a socket, a moment, or such word.
final class ReaderControl: Sendable {
    /// Why a wait ended.
    enum Wait {
        /// The descriptor is ready, or broken.
        case ready
        /// The moment has come.
        case timedOut
        /// Something was said: look at `isStopping` and `demand`.
        case woken
    }

    private struct Orders {
        var isStopping = false
        var demand: FixDemand
    }

    private let orders: Mutex<Orders>
    private let bell: Bell
    private let start = ContinuousClock.now

    /// - Throws: ``GPSDError`` when the process has no file descriptors left.
    init(demand: FixDemand) throws(GPSDError) {
        orders = Mutex(Orders(demand: demand))
        bell = try Bell()
    }

    /// Monotonic time since the thread was made.
    var now: Duration { start.duration(to: .now) }

    var isStopping: Bool { orders.withLock { $0.isStopping } }

    var demand: FixDemand { orders.withLock { $0.demand } }

    /// Ends the thread at its next wait, which this interrupts.
    func stop() {
        orders.withLock { $0.isStopping = true }
        bell.ring()
    }

    func set(_ demand: FixDemand) {
        orders.withLock { $0.demand = demand }
        bell.ring()
    }

    /// What others, a name lookup for instance, ring to wake the thread.
    var wakeUp: Bell { bell }

    /// Blocks the calling thread until a descriptor is ready, a moment has come or the bell rings.
    func wait(for descriptor: Int32? = nil, _ events: Int32 = POLLIN, until deadline: Duration) -> Wait {
        // A negative descriptor is passed over by poll.
        var polled = [
            pollfd(fd: bell.listener, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor ?? -1, events: Int16(events), revents: 0),
        ]
        let count = poll(&polled, nfds_t(polled.count), milliseconds(until: deadline))
        guard count > 0 else { return .timedOut }  // or interrupted by a signal: whoever waits looks at the time
        if polled[0].revents != 0 {
            bell.silence()
            return .woken
        }
        return .ready
    }

    /// Rounded up, so that a deadline has passed when the wait for it ends.
    private func milliseconds(until deadline: Duration) -> Int32 {
        let left = max(.zero, deadline - now).saturatedNanoseconds
        return Int32(clamping: left / 1_000_000 + (left % 1_000_000 == 0 ? 0 : 1))
    }
}

/// A pipe that wakes a thread out of `poll`. Whoever may still ring it keeps it alive.
final class Bell: Sendable {
    /// The end to poll for reading.
    let listener: Int32
    private let rope: Int32

    init() throws(GPSDError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw GPSDError("cannot make a pipe: \(SystemError(errno))") }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        (listener, rope) = (ends[0], ends[1])
    }

    deinit {
        close(listener)
        close(rope)
    }

    /// Wakes the listener. A full pipe has woken it already.
    func ring() {
        var byte: UInt8 = 1
        _ = write(rope, &byte, 1)
    }

    /// Takes back all ringing so far.
    func silence() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(listener, &bytes, bytes.count) > 0 {}
    }
}

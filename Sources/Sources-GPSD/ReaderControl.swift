internal import Glibc
internal import TrackEngine

/// What the engine's task tells gpsd's thread, and how the thread waits: for a socket, a moment, or a wake-up.
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

    private let orders: PthreadMutex<Orders>
    /// Wakes the thread; others, a name lookup for instance, use it, too.
    let wakeup: WakeupPipe
    private let start = ContinuousClock.now

    /// - Throws: ``GPSDError`` when the process has no file descriptors left.
    init(demand: FixDemand) throws(GPSDError) {
        orders = PthreadMutex(Orders(demand: demand))
        do { wakeup = try WakeupPipe() } catch { throw GPSDError(error) }
    }

    /// Monotonic time since the thread was made.
    var now: Duration { start.duration(to: .now) }

    var isStopping: Bool { orders.withLock { $0.isStopping } }

    var demand: FixDemand { orders.withLock { $0.demand } }

    /// Ends the thread at its next wait, which this interrupts.
    func stop() {
        orders.withLock { $0.isStopping = true }
        wakeup.wake()
    }

    func set(_ demand: FixDemand) {
        orders.withLock { $0.demand = demand }
        wakeup.wake()
    }

    /// Blocks the calling thread until a descriptor is ready, a moment has come or the thread is woken.
    func wait(for descriptor: Int32? = nil, _ events: Int32 = POLLIN, until deadline: Duration) -> Wait {
        // A negative descriptor is passed over by poll.
        var polled = [
            pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor ?? -1, events: Int16(events), revents: 0),
        ]
        let count = poll(&polled, nfds_t(polled.count), (deadline - now).pollTimeout)
        guard count > 0 else { return .timedOut }  // or interrupted by a signal: whoever waits looks at the time
        if polled[0].revents != 0 {
            wakeup.clear()
            return .woken
        }
        return .ready
    }
}

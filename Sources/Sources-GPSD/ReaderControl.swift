internal import Glibc
internal import TrackEngine

/// Controls gpsd's thread from the engine's task, and lets the thread wait for a socket, a time, or a wake-up.
final class ReaderControl: Sendable {
    /// The reason why a wait ended.
    enum WakeReason {
        /// The descriptor is ready, or broken.
        case ready
        /// The deadline has passed.
        case timedOut
        /// The orders have changed: check `isStopping` and `demand`.
        case woken
    }

    private struct State {
        var isStopping = false
        var demand: FixDemand
    }

    private let orders: SystemMutex<State>
    /// Wakes the thread; also used by others, for instance a name lookup.
    let wakeup: WakePipe
    private let start = ContinuousClock.now

    /// - Throws: ``GPSDError`` when the process has no file descriptors left.
    init(demand: FixDemand) throws(GPSDError) {
        orders = SystemMutex(State(demand: demand))
        do { wakeup = try WakePipe() } catch { throw GPSDError(error) }
    }

    /// The monotonic time since the thread was created.
    var now: Duration { start.duration(to: .now) }

    var isStopping: Bool { orders.withLock { $0.isStopping } }

    var demand: FixDemand { orders.withLock { $0.demand } }

    /// Ends the thread at its next wait; a current wait is interrupted.
    func stop() {
        orders.withLock { $0.isStopping = true }
        wakeup.wake()
    }

    func set(_ demand: FixDemand) {
        orders.withLock { $0.demand = demand }
        wakeup.wake()
    }

    /// Blocks the calling thread until a descriptor is ready, the deadline has passed, or the thread is woken.
    func wait(for descriptor: Int32? = nil, _ events: Int32 = POLLIN, until deadline: Duration) -> WakeReason {
        // poll ignores a negative descriptor.
        var polled = [
            pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor ?? -1, events: Int16(events), revents: 0),
        ]
        let count = poll(&polled, nfds_t(polled.count), (deadline - now).pollTimeout)
        guard count > 0 else { return .timedOut }  // or interrupted by a signal: the caller checks the time
        if polled[0].revents != 0 {
            wakeup.clear()
            return .woken
        }
        return .ready
    }
}

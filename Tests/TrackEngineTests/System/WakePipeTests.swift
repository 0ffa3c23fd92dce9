import Glibc
import TestSupport
import Testing
import TrackEngine

@Suite struct WakePipeTests {
    /// Whether `poll` finds the pipe ready within a time.
    private func isReady(_ wakeup: WakePipe, within timeout: Duration = .zero) -> Bool {
        var polled = pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&polled, 1, timeout.pollTimeout) == 1
    }

    @Test
    func `it is not ready before it is woken, and until the next time once it was cleared`() throws {
        let wakeup = try WakePipe()
        #expect(!isReady(wakeup))
        wakeup.wake()
        #expect(isReady(wakeup))
        wakeup.clear()
        #expect(!isReady(wakeup))
        wakeup.wake()
        #expect(isReady(wakeup))
    }

    @Test
    func `it wakes a thread that waits already`() async throws {
        let wakeup = try WakePipe()
        async let woken = SystemThread.run { isReady(wakeup, within: .seconds(60)) }
        wakeup.wake()
        #expect(try await woken)
    }

    @Test
    func `a wait ends with a wake-up before or after its begin, and takes it back`() async throws {
        let wakeup = try WakePipe()
        wakeup.wake()
        async let first: Void = SystemThread.run { wakeup.wait() }
        try await first
        #expect(!isReady(wakeup))
        async let second: Void = SystemThread.run { wakeup.wait() }
        wakeup.wake()
        try await second
        #expect(!isReady(wakeup))
    }

    @Test
    func `more wake-ups than a pipe holds block nobody, and one clearing takes all of them back`() throws {
        let wakeup = try WakePipe()
        for _ in 0..<100_000 { wakeup.wake() }  // a pipe holds 65,536 bytes
        wakeup.clear()
        #expect(!isReady(wakeup))
    }

    @Test
    func `both ends close on exec, and are closed with the last owner`() throws {
        var wakeup: WakePipe? = try WakePipe()
        let descriptor = try #require(wakeup?.descriptor)
        #expect(fcntl(descriptor, F_GETFD) == FD_CLOEXEC)
        var status = stat()
        fstat(descriptor, &status)
        let inode = status.st_ino
        wakeup = nil
        // The number may be another's by now.
        #expect(fstat(descriptor, &status) != 0 || status.st_ino != inode)
    }
}

@Suite struct PollTimeoutTests {
    @Test(
        arguments: [
            (Duration.zero, Int32(0)), (.seconds(-5), 0), (.nanoseconds(1), 1), (.milliseconds(1), 1),
            (.microseconds(1_001), 2), (.seconds(60), 60_000), (.seconds(10_000_000), .max),
            (.seconds(Int64.max), .max), (.seconds(Int64.min), 0),
        ])
    func `milliseconds are rounded up, and what is past or too long has a bound`(
        _ duration: Duration, _ milliseconds: Int32
    ) {
        #expect(duration.pollTimeout == milliseconds)
    }
}

@Suite struct SystemErrorTests {
    @Test
    func `an error names what failed and the system's reason`() {
        expectMessage(SystemError("cannot open x", code: ENOENT).description, begin: "cannot open x")
    }

    @Test
    func `without a number it takes that of the call that has just failed`() {
        _ = close(-1)
        let error = SystemError("cannot close")
        #expect(error.code == EBADF)
    }
}

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

    @Test("it is not ready before it is woken, and until the next time once it was cleared")
    func cleared() throws {
        let wakeup = try WakePipe()
        #expect(!isReady(wakeup))
        wakeup.wake()
        #expect(isReady(wakeup))
        wakeup.clear()
        #expect(!isReady(wakeup))
        wakeup.wake()
        #expect(isReady(wakeup))
    }

    @Test("it wakes a thread that waits already")
    func wakesThread() async throws {
        let wakeup = try WakePipe()
        async let woken = SystemThread.run { isReady(wakeup, within: .seconds(60)) }
        wakeup.wake()
        #expect(try await woken)
    }

    @Test("a wait ends with a wake-up before or after its begin, and takes it back")
    func waits() async throws {
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

    @Test("more wake-ups than a pipe holds block nobody, and one clearing takes all of them back")
    func full() throws {
        let wakeup = try WakePipe()
        for _ in 0..<100_000 { wakeup.wake() }  // a pipe holds 65,536 bytes
        wakeup.clear()
        #expect(!isReady(wakeup))
    }

    @Test("both ends close on exec, and are closed with the last owner")
    func descriptors() throws {
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
        "milliseconds are rounded up, and what is past or too long has a bound",
        arguments: [
            (Duration.zero, Int32(0)), (.seconds(-5), 0), (.nanoseconds(1), 1), (.milliseconds(1), 1),
            (.microseconds(1_001), 2), (.seconds(60), 60_000), (.seconds(10_000_000), .max),
            (.seconds(Int64.max), .max), (.seconds(Int64.min), 0),
        ])
    func table(_ duration: Duration, _ milliseconds: Int32) {
        #expect(duration.pollTimeout == milliseconds)
    }
}

@Suite struct SystemErrorTests {
    @Test("an error names what failed and the system's reason")
    func description() {
        expectMessage(SystemError("cannot open x", code: ENOENT).description, begin: "cannot open x")
    }

    @Test("without a number it takes that of the call that has just failed")
    func lastError() {
        _ = close(-1)
        let error = SystemError("cannot close")
        #expect(error.code == EBADF)
    }
}

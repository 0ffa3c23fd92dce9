import Foundation
import TestSupport
import Testing
import TrackEngineAgent
import TrackEngineFiles
import TrackEngineSettings

/// sd_notify(3) against a datagram socket of our own.
@Suite struct SystemdReporterTests {
    @Test func `messages arrive as one datagram of assignments`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let socket = try NotifySocket(path: folder + "/notify")
            let notifier = SystemdReporter(environment: ["NOTIFY_SOCKET": socket.path])
            notifier.send(.ready, .status("two\nlines"))
            notifier.send(.reloading(monotonic: .seconds(2)))
            notifier.send(.watchdog)
            notifier.send(.stopping)
            #expect(
                socket.datagrams() == [
                    "READY=1\nSTATUS=two lines", "RELOADING=1\nMONOTONIC_USEC=2000000", "WATCHDOG=1", "STOPPING=1",
                ])
        }
    }

    @Test func `an abstract name works too`() throws {
        let name = "@track-engine-\(UUID().uuidString)"
        let socket = try NotifySocket(path: name)
        SystemdReporter(environment: ["NOTIFY_SOCKET": name]).send(.ready)
        #expect(socket.datagrams() == ["READY=1"])
    }

    @Test func `the watchdog is due at half of what systemd allows, for this process only`() {
        func interval(_ environment: [String: String]) -> Duration? {
            SystemdReporter(environment: environment, processID: 7).watchdogInterval
        }
        #expect(interval(["WATCHDOG_USEC": "30000000"]) == .seconds(15))
        #expect(interval(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "7"]) == .seconds(15))
        #expect(interval(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "8"]) == nil)
        #expect(interval(["WATCHDOG_USEC": "soon"]) == nil)
        #expect(interval([:]) == nil)
    }

    @Test func `outside of systemd nothing happens`() {
        SystemdReporter(environment: [:]).send(.ready)
        SystemdReporter(environment: ["NOTIFY_SOCKET": "relative"]).send(.ready)
        SystemdReporter(environment: ["NOTIFY_SOCKET": "/nonexistent/notify"]).send(.ready)
    }
}

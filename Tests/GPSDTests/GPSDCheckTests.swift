import TestSupport
import Testing
import TrackEngineGPSD

@Suite("Looking for gpsd on this machine", .timeLimit(.minutes(30)))
struct GPSDCheckTests {
    private func answers(to greeting: String) async throws -> Bool {
        let server = try FakeGPSD(FakeGPSD.Script(greeting: greeting))
        defer { server.stop() }
        return await GPSDCheck.answers(port: server.port)
    }

    @Test("a real gpsd is found")
    func realDaemon() async throws {
        let daemon = try await GPSDaemon()
        #expect(await GPSDCheck.answers(port: UInt16(daemon.port)))
    }

    @Test("VERSION is the greeting of any gpsd, however it is spaced")
    func greetings() async throws {
        #expect(try await answers(to: Line.version))
        #expect(try await answers(to: #"{ "class" : "VERSION", "proto_major" : 16 }"# + "\n"))
    }

    @Test(
        "what says something else first is not gpsd",
        arguments: [
            "220 mail.example ESMTP\r\n", Line.devices([]), "\r\nSSH-2.0-X\r\n", Line.devices([]) + Line.version,
            #"{"class":"VERSION","release":"3.2"# + "\r\n", String(repeating: "x", count: 20_000) + "\n",
        ])
    func otherServers(greeting: String) async throws {
        #expect(try await !answers(to: greeting))
    }

    @Test("where nobody listens, or nobody says a line, the answer is no")
    func silence() async throws {
        let unused = try ReservedPort()
        #expect(await !GPSDCheck.answers(port: UInt16(unused.number)))
        #expect(try await !answers(to: ""))
        #expect(try await !answers(to: #"{"class":"VERSION""#))
    }

    @Test("a cancelled task need not wait")
    func cancellation() async throws {
        let hole = try BlackHole()
        let probe = Task { await GPSDCheck.answers(port: UInt16(hole.port)) }  // so that it can be cancelled
        probe.cancel()
        #expect(await !probe.value)
    }
}

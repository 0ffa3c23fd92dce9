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

    @Test
    func `a real gpsd is found`() async throws {
        let daemon = try await GPSDaemon()
        #expect(await GPSDCheck.answers(port: UInt16(daemon.port)))
    }

    @Test
    func `VERSION is the greeting of any gpsd, however it is spaced`() async throws {
        #expect(try await answers(to: Line.version))
        #expect(try await answers(to: #"{ "class" : "VERSION", "proto_major" : 16 }"# + "\n"))
    }

    @Test(
        arguments: [
            "220 mail.example ESMTP\r\n", Line.devices([]), "\r\nSSH-2.0-X\r\n", Line.devices([]) + Line.version,
            #"{"class":"VERSION","release":"3.2"# + "\r\n", String(repeating: "x", count: 20_000) + "\n",
        ])
    func `what says something else first is not gpsd`(greeting: String) async throws {
        #expect(try await !answers(to: greeting))
    }

    @Test
    func `where nobody listens, or nobody says a line, the answer is no`() async throws {
        let unused = try ReservedPort()
        #expect(await !GPSDCheck.answers(port: UInt16(unused.number)))
        #expect(try await !answers(to: ""))
        #expect(try await !answers(to: #"{"class":"VERSION""#))
    }

    @Test
    func `a cancelled task need not wait`() async throws {
        let hole = try BlackHole()
        let probe = Task { await GPSDCheck.answers(port: UInt16(hole.port)) }  // so that it can be cancelled
        probe.cancel()
        #expect(await !probe.value)
    }
}

import Synchronization
import TestSupport
import Testing
import TrackEngine
import TrackEngineGPSD
import TrackEngineTestKit

@Suite("The source against a scripted gpsd", .timeLimit(.minutes(30)))
struct GPSDSourceTests {
    @Test
    func `fixes arrive merged, and the states on the way are told`() async throws {
        let server = try FakeGPSD()
        defer { server.stop() }
        try await withRunning(quickConfiguration(port: server.port)) { collected in
            await eventually("the source watches") { server.requests.count >= 1 }
            for tenth in 0..<3 { server.send(Line.position(tenth * 10) + Line.position(tenth * 10)) }
            await eventually("three fixes") { collected.fixes.count >= 3 }
            #expect(collected.statuses == [.connecting, .waiting(reason: "no fix yet"), .receiving])
            #expect(collected.fixes.map(\.altitude) == [520, 520, 520])
            #expect(collected.fixes.map(\.ellipsoidalAltitude) == [567, 567, 567])
        }
        #expect(server.requests == [#"?WATCH={"enable":true,"json":true};"#])
    }

    @Test
    func `half lines are kept until the rest comes, garbage and over-long lines are reported, the rest goes on`()
        async throws
    {
        let server = try FakeGPSD()
        defer { server.stop() }
        try await withRunning(quickConfiguration(port: server.port)) { collected in
            await eventually("the source watches") { server.requests.count >= 1 }
            let line = Line.position(0)
            server.send(String(line.prefix(40)))
            server.send("")
            server.send(String(line.dropFirst(40)))
            server.send("no JSON\r\n" + String(repeating: "x", count: 30_000) + "\r\n" + Line.position(10))
            await eventually("two fixes") { collected.fixes.count >= 2 }
            #expect(collected.count(of: .malformed) == 1)
            #expect(collected.count(of: .oversized) == 1)
        }
    }

    @Test
    func `receivers without end, and paths as long as a line, are survived and refused; the fixes go on`() async throws
    {
        let server = try FakeGPSD()
        defer { server.stop() }
        try await withRunning(quickConfiguration(port: server.port)) { collected in
            await eventually("the source watches") { server.requests.count >= 1 }
            for number in 0..<200 { server.send(Line.present("/dev/gps\(number)")) }
            for _ in 0..<3 { server.send(Line.present(String(repeating: "x", count: 9000))) }
            server.send(Line.position(0, device: "/dev/gps0"))
            await eventually("a fix") { collected.fixes.count >= 1 }
            #expect(collected.problems.map(\.kind) == Array(repeating: .malformed, count: 3))
            for problem in collected.problems { expectMessage(problem.message, begin: "gpsd") }
        }
    }

    @Test
    func `a closed connection: said, made anew, watched anew`() async throws {
        let server = try FakeGPSD()
        defer { server.stop() }
        try await withRunning(quickConfiguration(port: server.port)) { collected in
            await eventually("the source watches") { server.requests.count >= 1 }
            server.send(Line.position(0))
            server.disconnect()
            await eventually("it watches again") { server.requests.count >= 2 }
            server.send(Line.position(10))
            await eventually("both fixes") { collected.fixes.count >= 2 }
            #expect(server.connections == 2)
            let place = "127.0.0.1:\(server.port)"
            #expect(
                collected.outages == ["lost gpsd at \(place): it closed the connection; trying again in 0.05 s"])
        }
    }

    @Test
    func `silence: asked once more, then another connection`() async throws {
        let server = try FakeGPSD(FakeGPSD.Script(watchAnswer: ""))
        defer { server.stop() }
        var configuration = quickConfiguration(port: server.port)
        configuration.answerTimeout = .milliseconds(800)
        configuration.silenceTimeout = .milliseconds(800)
        try await withRunning(configuration) { collected in
            await eventually("an outage") { collected.outages.contains { $0.contains("gpsd no longer answers") } }
            await eventually("a second connection") { server.connections >= 2 }
            #expect(server.requests.count >= 2)
        }
    }

    @Test
    func `something that is not gpsd`() async throws {
        let script = FakeGPSD.Script(greeting: "SSH-2.0-OpenSSH_9.2\r\n", watchAnswer: "")
        let server = try FakeGPSD(script)
        defer { server.stop() }
        var configuration = quickConfiguration(port: server.port)
        configuration.answerTimeout = .milliseconds(800)
        try await withRunning(configuration) { collected in
            await eventually("an outage") { !collected.outages.isEmpty }
            #expect(collected.outages.first?.contains("the server there is not gpsd") == true)
            await eventually("the line is reported") { collected.count(of: .malformed) >= 1 }
            let reported = collected.count(of: .malformed)
            #expect(reported <= server.connections, "each connection brings one line")
        }
    }

    @Test
    func `nobody listens: the reason, a growing wait, and recovery when somebody does`() async throws {
        let place = try RefusingPort()
        let port = place.number
        try await withRunning(quickConfiguration(port: UInt16(port))) { collected in
            await eventually("three attempts") { collected.outages.count >= 3 }
            let reason = "no answer at 127.0.0.1:\(port): connection refused; trying again in"
            #expect(collected.outages.prefix(3) == ["\(reason) 0.05 s", "\(reason) 0.1 s", "\(reason) 0.2 s"])
            let server = try FakeGPSD(FakeGPSD.Script(stream: { Line.position($0) }), port: place.port)
            defer { server.stop() }
            await eventually("fixes") { !collected.fixes.isEmpty }
        }
        withExtendedLifetime(place) {}
    }

    @Test
    func `a black hole: the connect deadline holds, and cancellation does not wait for it`() async throws {
        let hole = try BlackHole()
        var configuration = quickConfiguration(port: UInt16(hole.port))
        configuration.connectTimeout = .milliseconds(500)
        try await withRunning(configuration) { collected in
            await eventually("the deadline") { !collected.outages.isEmpty }
            #expect(collected.outages.first?.contains("no answer in time") == true)
        }
        configuration.connectTimeout = .seconds(3600)
        let clock = ContinuousClock()
        var cancelled = clock.now
        try await withRunning(configuration) { collected in
            await eventually("it connects") { collected.statuses == [.connecting] }
            cancelled = clock.now
        }
        // The kernel gives up after 127 s.
        #expect(cancelled.duration(to: clock.now) < .seconds(120))
        withExtendedLifetime(hole) {}
    }

    @Test
    func `a name that no resolver knows is said`() async throws {
        var configuration = quickConfiguration(port: 1)
        configuration.host = "no such host"
        configuration.connectTimeout = .seconds(5)
        try await withRunning(configuration) { collected in
            await eventually("an outage") { !collected.outages.isEmpty }
            #expect(collected.outages.first?.hasPrefix("no answer at no such host:1: ") == true)
        }
    }

    @Test
    func `a receiver that is unplugged and plugged in again under another name`() async throws {
        let server = try FakeGPSD()
        defer { server.stop() }
        try await withRunning(quickConfiguration(port: server.port)) { collected in
            await eventually("the source watches") { server.requests.count >= 1 }
            server.send(Line.position(0))
            await eventually("a fix") { collected.fixes.count >= 1 }
            server.send(Line.gone("/dev/gps0"))
            await eventually("it is missed") { collected.statuses.last == .waiting(reason: "no receiver attached") }
            server.send(Line.devices(["/dev/gps1"]) + Line.position(10, device: "/dev/gps1"))
            await eventually("a fix of the new one") { collected.fixes.count >= 2 }
            #expect(collected.statuses.last == .receiving)
        }
    }

    @Test
    func `an occasional demand stops watching between looks, and a continuous one goes back at once`() async throws {
        let server = try FakeGPSD(FakeGPSD.Script(stream: { Line.position($0) }))
        defer { server.stop() }
        let collected = CollectedFixes()
        collected.demand.set(.occasional(every: .milliseconds(300)))
        try await withRunning(quickConfiguration(port: server.port), collecting: collected) { collected in
            await eventually("two looks") { server.requests.count >= 4 }
            let watch = #"?WATCH={"enable":true,"json":true};"#
            let unwatch = #"?WATCH={"enable":false};"#
            #expect(server.requests.prefix(4) == [watch, unwatch, watch, unwatch])
            #expect(server.connections == 1)
            #expect(collected.statuses.contains(.sleeping))
            collected.demand.set(.occasional(every: .seconds(3600)))
            await eventually("it sleeps") { collected.statuses.last == .sleeping }
            let before = collected.fixes.count
            collected.demand.set(.continuous)
            await eventually("a stream of fixes") { collected.fixes.count >= before + 10 }
            #expect(server.requests.last == watch)
        }
    }

    @Test
    func `gpsd that closes the connection while we sleep is no outage`() async throws {
        let server = try FakeGPSD(FakeGPSD.Script(stream: { Line.position($0) }, hangsUpAtUnwatch: true))
        defer { server.stop() }
        let collected = CollectedFixes()
        collected.demand.set(.occasional(every: .seconds(2)))
        try await withRunning(quickConfiguration(port: server.port), collecting: collected) { collected in
            await eventually("the next look") { collected.fixes.count >= 2 }
            #expect(server.connections >= 2, "each look has a connection of its own")
            #expect(collected.outages == [])
            #expect(collected.statuses.count { $0 == .connecting } == 1)
        }
    }

    @Test
    func `a slow engine: gpsd is read at once all the same, the newest fixes are kept, the rest is counted`()
        async throws
    {
        let server = try FakeGPSD()
        defer { server.stop() }
        let problems = Mutex(0)
        let taken = Mutex<[Fix]>([])
        let gate = DemandSignal()  // opened by another demand
        let output = FixOutput(
            emit: { fixes throws(CancellationError) in
                _ = await gate.value(otherThan: .continuous)
                if Task.isCancelled { throw CancellationError() }
                taken.withLock { $0 += fixes }
            },
            report: { problem in if problem.kind == .overflow { problems.withLock { $0 += 1 } } })
        var configuration = quickConfiguration(port: server.port)
        configuration.queueCapacity = 5
        let source = try GPSDSource(configuration: configuration)
        await withThrowingTaskGroup { group in
            group.addTask { try await source.run(output) }
            await eventually("the source watches") { server.requests.count >= 1 }
            server.send(Line.position(0) + Line.position(1))  // the first is taken out and waits at the gate
            for tenth in 2...100 { server.send(Line.position(tenth)) }
            await eventually("an overflow") { problems.withLock { $0 } >= 90 }
            gate.set(.occasional(every: .seconds(1)))
            await eventually("the rest") { taken.withLock { $0.last?.time } == Timestamp("2026-03-01T10:00:10.000Z") }
            group.cancelAll()
        }
        let times = taken.withLock { $0.map(\.time) }
        #expect(times == times.sorted())
        #expect(times.count + problems.withLock { $0 } == 101)
    }

    @Test
    func `ten thousand lines of garbage and still there`() async throws {
        let server = try FakeGPSD()
        defer { server.stop() }
        try await withRunning(quickConfiguration(port: server.port)) { collected in
            await eventually("the source watches") { server.requests.count >= 1 }
            for _ in 0..<100 { server.send(String(repeating: "{\"class\":\"TPV\",\"mode\":\r\n", count: 100)) }
            server.send(Line.position(0))
            await eventually("a fix") { collected.fixes.count >= 1 }
            #expect(collected.count(of: .malformed) == 10_000)
            #expect(collected.outages == [])
        }
    }
}

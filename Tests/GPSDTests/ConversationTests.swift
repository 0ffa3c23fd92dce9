import GPSDProtocol
import TestSupport
import Testing
import TrackEngine
import TrackEngineGPSD

@Suite("The conversation with gpsd")
struct ConversationTests {
    /// With silence after 10 s and answers within 2 s.
    private func conversation(_ demand: FixDemand = .continuous, device: String? = nil) -> GPSDSession {
        var configuration = GPSDSource.Configuration()
        configuration.device = device
        configuration.silenceTimeout = .seconds(10)
        configuration.answerTimeout = .seconds(2)
        return GPSDSession(configuration, demand: demand, at: .zero)
    }

    private func position(_ second: Int64, device: String = "a", mode: Fix.Mode? = .twoDimensional) -> Report {
        var report = PositionReport()
        report.device = device
        report.time = Timestamp(secondsSince1970: second)
        report.mode = mode
        if mode != nil { report.coordinate = Coordinate(latitude: 48, longitude: 11) }
        return .position(report)
    }

    private func times(_ actions: [GPSDSession.Action]) -> [Int64] {
        actions.compactMap { action in
            if case .emit(let fix) = action { fix.time.secondsSince1970 } else { nil }
        }
    }

    @Test
    func `it begins with WATCH and ends when nothing is answered`() {
        var talk = conversation()
        #expect(talk.opening == [.send(.watch)])
        #expect(talk.deadline == .seconds(2))
        #expect(talk.timeout(at: .milliseconds(1999)) == [])
        #expect(talk.timeout(at: .seconds(2)) == [.end("the server there is not gpsd")])
        #expect(talk.loss == .outage)
    }

    @Test(arguments: [GPSDSession.Request.watch, .unwatch])
    func `each request fits gpsd's 80 bytes`(request: GPSDSession.Request) {
        #expect(request.rawValue.utf8.count <= 80)
        #expect(request.rawValue.hasSuffix(";\n"))
    }

    @Test
    func `silence asks again; an answer keeps the connection, none ends it`() {
        var talk = conversation()
        _ = talk.received(.devices(["a"]), at: .seconds(1))
        #expect(talk.deadline == .seconds(11))
        #expect(talk.timeout(at: .seconds(11)) == [.status(.waiting(reason: "the receiver is silent")), .send(.watch)])
        _ = talk.received(.watch(isEnabled: true), at: .seconds(12))
        #expect(talk.deadline == .seconds(22))
        _ = talk.timeout(at: .seconds(22))
        #expect(talk.timeout(at: .seconds(24)) == [.end("gpsd no longer answers")])
    }

    @Test
    func `receivers: none, one without a fix, one that goes`() {
        var talk = conversation()
        #expect(talk.received(.devices([]), at: .seconds(1)) == [.status(.waiting(reason: "no receiver attached"))])
        #expect(
            talk.received(.device(path: "a", isActive: true), at: .seconds(2)) == [
                .status(.waiting(reason: "no fix yet"))
            ])
        #expect(talk.received(position(5, mode: nil), at: .seconds(3)) == [])
        #expect(talk.timeout(at: .seconds(4)) == [.status(.waiting(reason: "no fix yet"))])
        #expect(
            talk.received(.device(path: "a", isActive: false), at: .seconds(5))
                == [.status(.waiting(reason: "no receiver attached"))])
    }

    @Test
    func `of receivers without end the newest 64 are remembered, and those that go are forgotten`() {
        func names(_ numbers: Range<Int>) -> [String] { numbers.map { "\($0)" } }
        var talk = conversation()
        for number in 0..<1000 { _ = talk.received(.device(path: "\(number)", isActive: true), at: .seconds(1)) }
        #expect(talk.receivers == names(936..<1000))
        _ = talk.received(.device(path: "940", isActive: true), at: .seconds(1))
        #expect(talk.receivers.last == "940")
        #expect(talk.receivers.count == 64)
        _ = talk.received(.device(path: "940", isActive: false), at: .seconds(1))
        #expect(talk.receivers == names(936..<940) + names(941..<1000))
        _ = talk.received(.devices(names(0..<500)), at: .seconds(1))
        #expect(talk.receivers == names(436..<500))
    }

    @Test
    func `fixes mean receiving; a lost fix is a state only after five seconds`() {
        var talk = conversation()
        _ = talk.received(position(1), at: .seconds(1))
        let actions = talk.timeout(at: .seconds(2))
        #expect(actions.first == .status(.receiving))
        #expect(times(actions) == [1])
        _ = talk.received(position(2, mode: nil), at: .seconds(3))
        #expect(talk.timeout(at: .seconds(4)) == [])
        _ = talk.received(position(7, mode: nil), at: .seconds(8))
        #expect(talk.timeout(at: .seconds(9)) == [.status(.waiting(reason: "no fix yet"))])
    }

    @Test
    func `it follows the first receiver with a position, and another one after that has gone`() {
        var talk = conversation()
        var emitted: [Int64] = []
        emitted += times(talk.received(position(1, device: "b", mode: nil), at: .seconds(1)))
        emitted += times(talk.received(position(2, device: "a"), at: .seconds(2)))
        emitted += times(talk.received(position(3, device: "b"), at: .seconds(3)))
        emitted += times(talk.timeout(at: .seconds(4)))
        #expect(emitted == [2])
        _ = talk.received(.device(path: "a", isActive: false), at: .seconds(5))
        _ = talk.received(position(6, device: "b"), at: .seconds(6))
        #expect(times(talk.timeout(at: .seconds(7))) == [6])
    }

    @Test
    func `a configured receiver is the only one that counts`() {
        var talk = conversation(device: "a")
        #expect(
            talk.received(position(1, device: "b"), at: .seconds(1))
                == [.status(.waiting(reason: "no reports from a; gpsd has b"))])
        _ = talk.received(position(2, device: "a"), at: .seconds(2))
        #expect(times(talk.timeout(at: .seconds(3))) == [2])
    }

    @Test
    func `an occasional demand: one fix, unwatch, sleep, and the next look after the interval`() throws {
        var talk = conversation(.occasional(every: .seconds(60)))
        _ = talk.received(.devices(["a"]), at: .seconds(1))
        _ = talk.received(position(2), at: .seconds(2))
        let actions = talk.timeout(at: .seconds(3))
        #expect(times(actions) == [2])
        #expect(actions.suffix(2) == [.send(.unwatch), .status(.sleeping)])
        #expect(talk.received(position(4), at: .seconds(4)) == [])
        #expect(talk.deadline == .seconds(63))
        #expect(talk.loss == .harmless(until: .seconds(63)))
        #expect(talk.timeout(at: .seconds(62)) == [])
        #expect(talk.timeout(at: .seconds(63)) == [.status(.waiting(reason: "looking for a fix")), .send(.watch)])
        _ = talk.received(position(64), at: .seconds(64))
        #expect(times(talk.timeout(at: .seconds(65))) == [64])
    }

    @Test
    func `a wish for everything wakes it at once; another interval counts from the last fix`() {
        var talk = conversation(.occasional(every: .seconds(600)))
        _ = talk.received(position(1), at: .seconds(1))
        _ = talk.timeout(at: .seconds(2))
        #expect(talk.demand(.occasional(every: .seconds(100)), at: .seconds(50)) == [])
        #expect(talk.deadline == .seconds(102))
        #expect(talk.demand(.continuous, at: .seconds(51)).last == .send(.watch))
        _ = talk.received(position(52), at: .seconds(52))
        _ = talk.received(position(53), at: .seconds(53))
        #expect(times(talk.received(position(54), at: .seconds(54))) == [53])
    }

    @Test
    func `an ERROR and a position without time are reported and end nothing`() {
        var talk = conversation()
        #expect(
            talk.received(.error("no such thing"), at: .seconds(1))
                == [.report(SourceProblem(.malformed, "gpsd answered with an error: no such thing"))])
        var timeless = PositionReport()
        timeless.mode = .twoDimensional
        timeless.coordinate = Coordinate(latitude: 1, longitude: 2)
        guard case .report(let problem)? = talk.received(.position(timeless), at: .seconds(1)).first else {
            Issue.record("a position without a time is not reported")
            return
        }
        #expect(problem.kind == .incomplete && problem.line == nil)
        expectMessage(problem.message)
    }

    @Test
    func `the open epoch is handed out when the connection ends`() {
        var talk = conversation()
        _ = talk.received(position(9), at: .seconds(1))
        #expect(times(talk.lastWords(at: .seconds(1))) == [9])
    }
}

@Suite("Waiting before the next attempt")
struct GPSDBackoffTests {
    @Test
    func `1 s doubles up to 30 s and begins afresh`() {
        var backoff = GPSDBackoff(first: .seconds(1), most: .seconds(30))
        #expect((0..<7).map { _ in backoff.wait() } == [1, 2, 4, 8, 16, 30, 30].map { Duration.seconds($0) })
        backoff.reset()
        #expect(backoff.wait() == .seconds(1))
    }
}

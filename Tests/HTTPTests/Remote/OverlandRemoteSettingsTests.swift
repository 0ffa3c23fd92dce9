import TestSupport
import Testing
import TrackEngine
import TrackEngineHTTP
import TrackEngineSettings
import TrackEngineTestKit

/// What a reply's `set` wants, and what becomes of it.
@Suite(.timeLimit(.minutes(30))) struct OverlandRemoteSettingsTests {
    private static func read(_ text: String) -> OverlandRemoteSettings? {
        OverlandRemoteSettings(reply: Array(text.utf8))
    }

    @Test func `labels of the app and numbers are read as this engine's keys`() throws {
        let wanted = try #require(
            Self.read(
                #"{"result":"ok","set":{"main":{"min_distance":"50m","min_time":"2m","desired_accuracy":"100m"}}}"#))
        #expect(
            wanted.values == [
                RemoteValue("tracking.distanceFilter", "50"), RemoteValue("tracking.interval", "120"),
                RemoteValue("tracking.desiredAccuracy", "hundredMeters"),
            ])
        let numbers = try #require(
            Self.read(#"{"set":{"main":{"min_distance":12,"min_time":7,"desired_accuracy":-2}}}"#))
        #expect(numbers.values.map(\.text) == ["12", "7", "bestForNavigation"])
    }

    @Test(arguments: [
        ("\"off\"", "0"), ("\"1km\"", "1000"), ("\"1m\"", "1"), ("0", "0"),
    ]) func `a distance is read`(_ value: String, _ text: String) {
        #expect(Self.read(#"{"set":{"main":{"min_distance":\#(value)}}}"#)?.values.map(\.text) == [text])
    }

    @Test func `significant is every 500 m, and standard what is configured; the last one counts`() {
        #expect(Self.read(#"{"set":{"main":{"tracking_mode":"significant"}}}"#)?.values.map(\.text) == ["500"])
        #expect(
            Self.read(#"{"set":{"main":{"min_distance":1,"tracking_mode":"standard"}}}"#)?.values
                == [RemoteValue("tracking.distanceFilter", RemoteValue.asConfigured)])
    }

    @Test func `this engine's own keys are taken as they are`() {
        #expect(
            Self.read(#"{"set":{"tracking.angle":20,"tracking":{"record":"any"}}}"#)?.values
                == [RemoteValue("tracking.angle", "20"), RemoteValue("tracking.record", "any")])
    }

    @Test(arguments: [
        #"{"result":"ok"}"#, #"{"set":{}}"#, #"{"set":[]}"#, #"{"set":"x"}"#, "[]", "", "{",
    ]) func `a reply that wants nothing is none`(_ text: String) { #expect(Self.read(text) == nil) }

    @Test(arguments: [
        #"{"set":{"main":{"tracking_mode":"off"}}}"#, #"{"set":{"main":{"min_distance":"far"}}}"#,
        #"{"set":{"main":{"min_distance":-5}}}"#, #"{"set":{"main":{"min_distance":1e99}}}"#,
        #"{"set":{"main":[1]}}"#, #"{"set":{"main":{"batch_size":50}}}"#, #"{"set":{"send_interval":"off"}}"#,
        #"{"set":{"main":{"min_distance":"99999999999999999999m"}}}"#, #"{"set":{"main":{"min_time":null}}}"#,
    ]) func `what has no counterpart is named and changes nothing`(_ text: String) throws {
        let wanted = try #require(Self.read(text))
        #expect(wanted.values.isEmpty && wanted.ignored.count == 1, "\(wanted)")
    }

    @Test func `what is wanted is bounded`() throws {
        let members = (0..<1000).map { #""tracking.k\#($0)":1"# }.joined(separator: ",")
        let wanted = try #require(Self.read("{\"set\":{\(members)}}"))
        #expect(wanted.values.count <= RemoteValue.maximumCount)
    }

    @Test func `the agent is asked once for what each reply says again`() async throws {
        let agent = RecordingAgent()
        let server = try RawServer(Self.reply)
        let sink = try OverlandSink(configuration: Self.configuration(server.url, takesSettings: true))
        sink.attach(to: agent)
        let run = Task { try await sink.run() }
        for _ in 1...3 { _ = try await sink.deliver(RecordBatch(records: [Samples.full])) }
        await eventually("the agent is asked") {
            agent.requests == [.setConfiguration([RemoteValue("tracking.distanceFilter", "10")])]
        }
        await eventually("it is counted") { sink.statusItems(now: .now()).first?.value == .count(1) }
        run.cancel()
        await sink.close()
        server.stop()
    }

    @Test(arguments: [true, false])
    func `what is refused for now is asked for with the next reply again, and nothing else is`(_ isForNow: Bool)
        async throws
    {
        let agent = RecordingAgent(refusal: RemoteRejection("wait a moment", isForNow: isForNow))
        let server = try RawServer(Self.reply)
        let sink = try OverlandSink(configuration: Self.configuration(server.url, takesSettings: true))
        sink.attach(to: agent)
        let run = Task { try await sink.run() }
        func refused() -> StatusField.Value? { sink.statusItems(now: .now()).dropFirst().first?.value }
        _ = try await sink.deliver(RecordBatch(records: [Samples.full]))
        await eventually("it is refused") { refused() == .count(1) }
        _ = try await sink.deliver(RecordBatch(records: [Samples.full]))
        if isForNow { await eventually("it is asked again") { refused() == .count(2) } }
        #expect(agent.requests.count == (isForNow ? 2 : 1))
        run.cancel()
        await sink.close()
        server.stop()
    }

    @Test func `without takesSettings nobody is asked`() async throws {
        let server = try RawServer(Self.reply)
        let sink = try OverlandSink(configuration: Self.configuration(server.url, takesSettings: false))
        let agent = RecordingAgent()
        sink.attach(to: agent)
        try await sink.run()  // returns, because there is nothing to wait for
        _ = try await sink.deliver(RecordBatch(records: [Samples.full]))
        #expect(agent.requests.isEmpty && sink.statusItems(now: .now()).isEmpty)
        await sink.close()
        server.stop()
    }

    private static let reply = Array(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{\"result\":\"ok\",\"set\":{\"main\":{\"min_distance\":\"10m\"}}}"
            .utf8)

    private static func configuration(_ url: String, takesSettings: Bool) -> OverlandSink.Configuration {
        var configuration = OverlandSink.Configuration(url: url, deviceID: "van-7")
        configuration.takesSettings = takesSettings
        return configuration
    }
}

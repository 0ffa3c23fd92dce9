import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineMQTT
import TrackEngineSettings

/// A broker's connection in `trackd status`.
@Suite struct MQTTStatusTests {
    private func agent(_ broker: MQTTStatus) -> AgentStatus {
        var agent = SampleStatus.agent()
        agent.sinkStatus = ["home": PluginStatus(type: "mqtt", items: broker.items(now: agent.tracker.time))]
        return agent
    }

    private var connected: MQTTStatus {
        var status = MQTTStatus()
        status.connection = .connected
        status.since = SampleStatus.ago(125)
        status.inFlight = 7
        status.lastAcknowledgement = SampleStatus.ago(2)
        status.acknowledged = 1044
        status.refused = 3
        status.lastRefusal = "not authorized (0x87)"
        return status
    }

    private var waiting: MQTTStatus {
        var status = MQTTStatus()
        status.connection = .waiting(
            failure: MQTTFailure(.unreachable, "connection refused"), until: SampleStatus.now.advanced(by: .seconds(9)))
        return status
    }

    /// The lines between the sink's and the store's.
    private func lines(_ broker: MQTTStatus) -> [String] {
        let all = StatusText.lines(agent(broker), StatusStyle(columns: 80))
        let without = StatusText.lines(SampleStatus.agent(), StatusStyle(columns: 80))
        return Array(all.dropFirst(without.count - 1).dropLast())
    }

    @Test func `a connection that stands`() {
        #expect(
            lines(connected).joined(separator: "\n") == """
                              connected  for 2 min 5 s  7 in flight  last PUBACK 2 s ago
                              3 refused by the broker  not authorized (0x87)
                """)
    }

    @Test func `a connection that does not, and why`() {
        #expect(
            lines(waiting).joined(separator: "\n")
                == "              disconnected  connection refused  next attempt in 9 s  0 in flight")
    }

    @Test func `what a consumer has confirmed, where it has to`() throws {
        var status = waiting
        (status.confirmed, status.lastConfirmation, status.confirmationsRejected) = (12, SampleStatus.ago(3), 2)
        let text = lines(status).joined(separator: "\n")
        #expect(text.contains("12 confirmed  last confirmation 3 s ago"), "\(text)")
        #expect(text.contains("2 confirmations not understood"), "\(text)")
        let mqtt = try #require(agent(status).json["sinks"]?.array?.first?["mqtt"])
        #expect(mqtt["confirmed"]?.number == 12)
        #expect(mqtt["lastConfirmation"]?.string == "2026-03-01T09:59:57.000Z")
        #expect(mqtt["confirmationsRejected"]?.number == 2)
        #expect(agent(waiting).json["sinks"]?.array?.first?["mqtt"]?["confirmed"] == nil)
    }

    @Test func `programs get the same`() throws {
        let sink = try #require(agent(connected).json["sinks"]?.array?.first)
        let mqtt = try #require(sink["mqtt"])
        #expect(mqtt["connection"]?.string == "connected")
        #expect(mqtt["inFlight"]?.number == 7)
        #expect(mqtt["lastAcknowledgement"]?.string == "2026-03-01T09:59:58.000Z")
        #expect(mqtt["refused"]?.number == 3)
        let down = agent(waiting).json["sinks"]?.array?.first?["mqtt"]
        #expect(down?["failure"]?.string == "connection refused")
        #expect(down?["nextAttempt"]?.string == "2026-03-01T10:00:09.000Z")
    }

    @Test func `a sink that has no broker says nothing of one`() {
        #expect(SampleStatus.agent().json["sinks"]?.array?.first?["mqtt"] == nil)
    }

    @Test func `what a broker says cannot command the terminal`() {
        var status = connected
        status.lastRefusal = "\u{1b}]0;owned\u{7}"
        #expect(!lines(status).joined().unicodeScalars.contains { $0.value < 0x20 })
    }
}

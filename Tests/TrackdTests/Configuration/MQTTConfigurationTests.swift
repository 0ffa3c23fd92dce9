import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineMQTT
import TrackEngineSettings

/// What a configuration says about a sink of type `mqtt`.
@Suite struct MQTTConfigurationTests {
    private func sink(_ keys: String) throws -> MQTTSettings? {
        Given.mqttSink(of: try Given.configuration("sinks: [{type: mqtt, \(keys)}]"))
    }

    /// `key: expectation` of each problem, without the place.
    private func problems(_ keys: String, isPrivate: Bool = true) -> [String] {
        Given.problems("sinks:\n  - {type: mqtt, \(keys)}", isPrivate: isPrivate)
    }

    @Test func `an address is enough`() throws {
        let sink = try #require(try sink("url: mqtts://broker"))
        #expect(sink.configuration.messages.format == .trackengine)
        #expect(sink.configuration.qualityOfService == .atLeastOnce)
        #expect(sink.configuration.protocolVersion == .v5)
        #expect(sink.commands.isEmpty)
        #expect(!sink.configuration.keepsLast)
    }

    @Test(arguments: [("trackengine", 12), ("batch", 12), ("owntracks", 1), ("homeassistant", 1)])
    func `who looks at a map gets each record as it comes`(_ format: String, _ threshold: Int) throws {
        func read(_ tracking: String, _ keys: String) throws -> Int? {
            try Given.configuration(
                "tracking: {\(tracking)}\nsinks: [{type: mqtt, url: mqtts://broker, format: \(format)\(keys)}]"
            ).sinks.first?.sync.syncThreshold
        }
        #expect(try read("", "") == threshold)
        #expect(try read("syncThreshold: 3", "") == 3)
        #expect(try read("", ", syncThreshold: 4") == 4)
    }

    @Test func `MQTT 3.1.1 is allowed, with a word about what it cannot tell`() throws {
        #expect(try sink("url: mqtts://broker, protocol: 3.1.1")?.cautions.count == 1)
        #expect(try sink("url: mqtts://broker, protocol: 3.1.1, qos: 0")?.cautions.isEmpty == true)
        #expect(try sink("url: mqtts://broker")?.cautions.isEmpty == true)
        #expect(try sink("url: mqtts://broker, protocol: 3.1.1, confirm: {}")?.cautions.isEmpty == true)
    }

    @Test func `a consumer's confirmations are off, or on with a topic and a time that have defaults`() throws {
        #expect(try sink("url: mqtts://b")?.confirm == nil)
        #expect(try sink("url: mqtts://b, confirm: null")?.confirm == nil)
        let plain = try #require(try sink("url: mqtts://b, confirm: {}")?.confirm)
        #expect(plain.topic == nil)
        #expect(plain.timeout == .seconds(30))
        let full = try #require(try sink("url: mqtts://b, confirm: {topic: 'seen/{device}', timeout: 2.5}")?.confirm)
        #expect(full.topic == "seen/{device}")
        #expect(full.timeout == .milliseconds(2500))
    }

    @Test func `confirmations are shown`() throws {
        let yaml = try Given.configuration("sinks: [{type: mqtt, url: mqtts://b, confirm: {topic: seen, timeout: 5}}]")
            .effectiveYAML
        #expect(yaml.contains("confirm: {topic: seen, timeout: 5}") || yaml.contains("topic: seen"), "\(yaml)")
    }

    @Test func `every key is read`() throws {
        let configuration = try Given.configuration(Given.everything)
        let sink = try #require(configuration.sinks.last?.kind as? MQTTSettings)
        #expect(sink.configuration.username == "van-7")
        #expect(sink.tls.certificate == "/etc/c.pem")
        #expect(sink.configuration.clientID == "van seven")
        #expect(sink.configuration.messages.format == .owntracks)
        #expect(sink.configuration.messages.base == "fleet/north")
        #expect(sink.user == "jane")
        #expect(sink.configuration.messages.trackerID == "V7")
        #expect(sink.configuration.messages.assumedAccuracy == 50)
        #expect(sink.configuration.qualityOfService == .atMostOnce)
        #expect(sink.configuration.keepsLast && !sink.configuration.retains)
        #expect(sink.commands == [.report, .status])
        #expect(sink.configuration.protocolVersion == .v311)
        #expect(sink.configuration.keepAlive == .seconds(30))
        #expect(sink.configuration.sessionExpiry == .seconds(3600))
        #expect(sink.configuration.acknowledgementTimeout == .seconds(120))
    }

    @Test(arguments: ["5", "\"5\""])
    func `a version may stand with or without quotes`(_ text: String) throws {
        #expect(try sink("url: mqtts://b, protocol: \(text)")?.configuration.protocolVersion == .v5)
    }

    @Test func `the commands are shown in one order, whatever order they were given in`() throws {
        let yaml = try Given.configuration("sinks: [{type: mqtt, url: mqtts://b, commands: [status, report]}]")
            .effectiveYAML
        #expect(yaml.contains("commands: [report, status]") || yaml.contains("- report\n"), "\(yaml)")
    }

    @Test func `a password is shown as three stars, or as the place where it is kept`() throws {
        let literal = try Given.configuration(
            "sinks: [{type: mqtt, url: mqtts://b, username: u, password: canary}]")
        #expect(!literal.effectiveYAML.contains("canary"))
        let file = try Given.configuration(
            "sinks: [{type: mqtt, url: mqtts://b, username: u, password: {file: /etc/secret}}]")
        #expect(file.effectiveYAML.contains(#"password: {file: "/etc/secret"}"#))
    }

    @Test(arguments: [
        "mqtt://127.0.0.1", "mqtt://localhost:1884", "mqtt://[::1]:1884", "mqtts://broker:8883", "MQTTS://broker/",
    ])
    func `addresses that can be used`(_ url: String) {
        #expect(problems("url: \"\(url)\"") == [])
    }

    @Test(arguments: [
        "https://broker", "broker:8883", "mqtts://", "mqtts://u:canary@broker", "mqtts://broker/topic",
        "mqtts://broker?x=canary", "mqtts://broker:0", "mqtts://bro ker",
    ])
    func `addresses that cannot, and no message repeats them`(_ url: String) {
        expectMessages(
            problems("url: \"\(url)\""), begin: ["trackd.yaml:2: sinks.mqtt.url = ***"], as: "address \(url)")
    }

    @Test(arguments: [
        ("", "url"),
        ("url: mqtt://broker", "url"),
        ("url: mqtt://localhost, tls: {ca: /a}", "tls"),
        ("url: mqtts://b, tls: {key: /k}", "tls"),
        ("url: mqtts://b, password: canary", "password"),
        ("url: mqtts://b, qos: 2", "qos"),
        ("url: mqtts://b, protocol: 4", "protocol"),
        ("url: mqtts://b, format: json", "format"),
        ("url: mqtts://b, commands: [reboot]", "commands"),
        ("url: mqtts://b, commands: status", "commands"),
        ("url: mqtts://b, confirm: {}, format: homeassistant", "confirm"),
        ("url: mqtts://b, confirm: {}, qos: 0", "confirm"),
        ("url: mqtts://b, confirm: {timeout: 0}", "confirm.timeout"),
        ("url: mqtts://b, confirm: {topic: '{source}'}", "confirm.topic"),
        ("url: mqtts://b, confirm: {topic: 'a/#'}", "confirm.topic"),
        ("url: mqtts://b, confirm: {topic: '{base}/{device}/cmd'}", "confirm.topic"),
        ("url: mqtts://b, topic: seen, confirm: {topic: seen}", "confirm.topic"),
        ("url: mqtts://b, keepAlive: 1", "keepAlive"),
        ("url: mqtts://b, acknowledgementTimeout: 601", "acknowledgementTimeout"),
        ("url: mqtts://b, base: 'a/#'", "base"),
        ("url: mqtts://b, user: a/b", "user"),
        ("url: mqtts://b, format: owntracks, username: a/b", "username"),
        ("url: mqtts://b, confirm: {topic: 'seen/{user}'}, username: 'a#'", "username"),
        ("url: mqtts://b, trackerID: abc", "trackerID"),
        ("url: mqtts://b, topic: '{vehicle}'", "topic"),
        ("url: mqtts://b, topic: '{base}/{device}/cmd'", "topic"),
        ("url: mqtts://b, clientId: x", "clientId"),
    ])
    func `what is wrong is named with its line`(_ keys: String, _ key: String) {
        expectMessages(problems(keys), begin: ["trackd.yaml:2: sinks.mqtt.\(key)"], as: "keys \(keys)")
    }

    /// Azure IoT Hub's are such.
    @Test func `a name to log in with is no topic's level where no topic has it`() {
        let name = "url: mqtts://b, username: 'hub/van/?api-version=2021'"
        #expect(problems(name) == [])
        #expect(problems(name + ", topic: 'devices/{device}/messages'") == [])
        #expect(problems(name + ", format: owntracks, user: jane") == [])
    }

    @Test func `a password may not stand where others can read it`() {
        let found = problems("url: mqtts://b, username: u, password: canary", isPrivate: false)
        expectMessages(found, begin: ["trackd.yaml:2: sinks.mqtt.password = ***"])
    }

    @Test func `two sinks of a device at one broker need a base each`() {
        let problems = { (first: String, second: String) in
            Given.problems("sinks:\n  - {type: mqtt, \(first)}\n  - {type: mqtt, \(second)}")
                .map { String($0.drop { $0 != " " }.dropFirst()) }
        }
        expectMessages(
            problems("url: mqtts://broker", "url: \"mqtts://broker:8883\", format: owntracks"),
            begin: ["sinks.mqtt-2.base"])
        #expect(problems("url: mqtts://broker", "url: mqtts://broker, base: ot") == [])
        #expect(problems("url: mqtts://broker", "url: mqtts://other") == [])
        #expect(problems("url: mqtts://broker", "url: mqtts://broker, deviceID: trailer") == [])
    }
}

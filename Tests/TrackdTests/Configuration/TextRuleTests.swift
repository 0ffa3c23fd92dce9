import Testing
import TrackEngine
import TrackEngineHTTP
import TrackEngineMQTT
import TrackEngineSettings
import TrackEngineSimulated

/// A text that the settings take, the sink's own configuration takes, and no other.
@Suite struct TextRuleTests {
    /// Texts of every length around a bound, of characters that one rule or another refuses.
    private static let texts: [String] = {
        // U+FDD0, which no literal may hold.
        let noCharacter = Character(String(decoding: [0xef, 0xb7, 0x90], as: UTF8.self))
        let characters: [Character] = [
            "a", "7", "-", "ü", "😀", " ", ":", "/", "+", "#", "$", "\n", "\u{7f}", "\u{85}", "\u{2028}", "\u{202e}",
            noCharacter,
        ]
        var random = SplitMix64(seed: 20)
        func character(of count: Int) -> Character { characters[Int(random.next() % UInt64(count))] }
        let odd = (0..<2_000).map { number in String((0..<number % 5).map { _ in character(of: characters.count) }) }
        let long = [127, 128, 129, 200, 201, 255, 256, 257, 4096, 4097].flatMap { length in
            [String(repeating: "x", count: length), String((0..<length).map { _ in character(of: 5) })]
        }
        return odd + long
    }()

    /// Whether the settings of a type read a table without a problem.
    private func isTaken<Settings: PluginSettings>(
        by type: Settings.Type, _ members: [(String, ConfigurationNode.Content)]
    ) -> Bool {
        let report = ProblemReport()
        report.allowsSecretsInFile = true
        let table = ConfigurationNode.Content.table(
            members.map { .init(key: $0.0, node: ConfigurationNode($0.1, .none)) })
        var decoder = TableDecoder(path: "sinks.x", layers: [ConfigurationNode(table, .none)], report)
        var settings = Settings()
        settings.read(&decoder)
        return report.problems.isEmpty
    }

    private func text(_ text: String) -> ConfigurationNode.Content { .scalar(.init(text, isQuoted: true)) }

    private func expectAgreement(_ what: String, _ bySettings: (String) -> Bool, _ bySink: (String) -> Bool) {
        var taken = 0
        for text in Self.texts {
            let isTaken = bySettings(text)
            if isTaken { taken += 1 }
            #expect(isTaken == bySink(text), "\(what): \(text.debugDescription)")
        }
        #expect(taken > 20 && taken < Self.texts.count - 20, "\(what): \(taken) of \(Self.texts.count) were taken")
    }

    @Test func `the device's name for a receiver of Overland's format`() {
        expectAgreement("deviceID") {
            isTaken(by: OverlandSettings.self, [("url", text("https://x.example")), ("deviceID", text($0))])
        } _: {
            OverlandSink.Configuration(url: "https://x.example", deviceID: DeviceID(rawValue: $0)).problems.isEmpty
        }
    }

    @Test func `the user of basic authentication`() {
        expectAgreement("basicAuth.user") { user in
            let pair: [ConfigurationNode.Member] = [
                .init(key: "user", node: ConfigurationNode(text(user), .none)),
                .init(key: "password", node: ConfigurationNode(text("secret"), .none)),
            ]
            return isTaken(
                by: OverlandSettings.self, [("url", text("https://x.example")), ("basicAuth", .table(pair))])
        } _: {
            var sink = OverlandSink.Configuration(url: "https://x.example", deviceID: "device")
            sink.basicAuthentication = .init(user: $0, password: Secret("secret"))
            return sink.problems.isEmpty
        }
    }

    @Test(arguments: ["username", "clientID"])
    func `who the client is at a broker`(_ key: String) {
        expectAgreement(key) {
            isTaken(by: MQTTSettings.self, [("url", text("mqtts://b.example")), (key, text($0))])
        } _: {
            var sink = MQTTSink.Configuration(host: "b.example", deviceID: "device")
            if key == "username" { sink.username = $0 } else { sink.clientID = $0 }
            return sink.problemsWithoutFiles.isEmpty
        }
    }

    @Test func `the device's name in topics`() {
        expectAgreement("deviceID") {
            isTaken(by: MQTTSettings.self, [("url", text("mqtts://b.example")), ("deviceID", text($0))])
        } _: {
            MessageOptions(deviceID: DeviceID(rawValue: $0)).problems.isEmpty
        }
    }
}

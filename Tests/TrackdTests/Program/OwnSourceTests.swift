import Logging
import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineSettings

/// A source of somebody else's that logs in somewhere.
@Suite struct OwnSourceTests {
    /// `type: radio`: a source with a secret.
    struct RadioSettings: SourceSettings {
        static let type = "radio"
        static let fields: [Field<Self>] = [.secret("token", \.token), .text("band", \.band)]

        var token: SecretReference?
        var band = "vhf"

        func makeSources(
            named name: SourceID, _ context: PluginContext
        ) throws(ConfigurationError) -> [any FixSource] {
            if band != "vhf" {
                throw ConfigurationError(problems: [.init(key: "band", value: band, expectation: "vhf")])
            }
            let secret = try token.map { token throws(ConfigurationError) in try context.secret("token", token) }
            return [Radio(id: name, first: secret, now: { await context.currentSecret("token") })]
        }
    }

    struct Radio: FixSource {
        let id: SourceID
        let first: Secret?
        let now: @Sendable () async -> Secret?

        func run(_ output: FixOutput) async throws {}
    }

    private let yaml = """
        sources:
          - {type: radio, name: a, token: {env: A}}
          - {type: radio, name: b, token: {env: B}}
        """

    private func load(_ yaml: String) throws -> AgentConfiguration {
        let program = Agent(name: "radio", plugins: .standard + [SourcePlugin(RadioSettings.self)])
        let loader = ConfigurationReader(environment: [:], stateDirectory: "/nowhere/state", program: program)
        return try loader.decode(.init(name: "radio.yaml", bytes: Array(yaml.utf8), isPrivate: true))
    }

    private func sources(_ configuration: AgentConfiguration) -> [SourceConfiguration] {
        guard case .listed(let sources) = configuration.sources else { return [] }
        return sources
    }

    @Test func `two sources have a secret each, now and later`() async throws {
        let context = PluginContext.sample(environment: ["A": "first", "B": "second"])
        let made = try sources(load(yaml)).flatMap { try $0.makeSources(context) }.compactMap { $0 as? Radio }
        #expect(made.map(\.first?.revealed) == ["first", "second"])
        var later: [String?] = []
        for radio in made { later.append(await radio.now()?.revealed) }
        #expect(later == ["first", "second"])
    }

    @Test func `what a source finds wrong is told under its own name, at its line, once`() async throws {
        let configuration = try load(yaml + "\n  - {type: radio, name: c, band: uhf}")
        do throws(AgentConfigurationError) {
            try await ConfigurationTrial(configuration, environment: ["A": "first"]).run()
            Issue.record("a secret that cannot be had was taken")
        } catch {
            let ofSources = error.problems.map(\.description).filter { $0.contains("token") || $0.contains("band") }
            expectMessages(ofSources, begin: ["radio.yaml:3: sources.b.token", "radio.yaml:4: sources.c.band"])
        }
    }
}

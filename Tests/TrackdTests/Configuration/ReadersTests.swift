import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineSettings
import TrackEngineTestKit

/// Who sees the places that a sink is given, as the status tells it.
@Suite(.timeLimit(.minutes(30))) struct ReadersTests {
    private static let table: [(sink: String, readers: String)] = [
        ("{type: overland, url: 'https://track.example.org/api?token=canary'}", "the operator of track.example.org"),
        ("{type: overland, url: 'http://127.0.0.1:8080/'}", "the receiver on this machine"),
        (
            "{type: osmand, url: 'http://t.example.org:5055', allowInsecure: true}",
            "the operator of t.example.org, and everyone on the way"
        ),
        (
            "{type: http, url: 'https://h.example.org/%{device}', body: '[%{latitude}, %{longitude}]'}",
            "the operator of h.example.org"
        ),
        ("{type: owntracks, url: 'https://o.example.org/pub'}", "the operator of o.example.org"),
        ("{type: owntracks, url: 'https://o.example.org/pub', secret: canary}", "everyone with the secret"),
        ("{type: miataru, url: 'https://service.miataru.com'}", "the operator of service.miataru.com"),
        ("{type: mqtt, url: 'mqtts://b.example.org'}", "every client that may subscribe at b.example.org"),
        (
            "{type: mqtt, url: 'mqtts://b.example.org', format: owntracks, secret: canary}", "everyone with the secret"
        ),
        ("{type: file, directory: /srv/tracks}", "everyone with access to /srv/tracks"),
        ("{type: history, directory: /srv/history}", "everyone with access to /srv/history"),
        ("{type: server, directory: /srv/server}", "everyone with a link to its page"),
    ]

    @Test(arguments: table)
    func `each sink says who sees what it is given`(_ sink: String, _ readers: String) throws {
        let configuration = try Given.configuration("sinks: [\(sink)]")
        #expect(configuration.sinks.map(\.kind.readers) == [readers])
    }

    @Test func `no type of sink is left out`() throws {
        let types = try Self.table.map { try Given.configuration("sinks: [\($0.sink)]").sinks.map(\.kind.type) }
        #expect(Set(types.joined()) == Set(AgentPlugins.standard.sinks.map(\.type)))
    }

    @Test func `the status of an agent tells it, for people and for programs`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let agent = try RunningAgent(
                folder,
                "sources: [{type: simulated}]\nsinks: [{type: file, name: card, directory: \(folder)/tracks}]\n")
            try await eventually(
                "the status says it, trackd printed: \(agent.child.text)", from: agent.child
            ) {
                try await agent.trackd("status").text.contains("seen by everyone with access to")
            }
            let json = try JSONValue.parse(Array(try await agent.trackd("status", "--json").text.utf8))
            let sink = try #require(json["sinks"]?.array?.first)
            expectMessage(sink["file"]?["seenBy"]?.string, replacing: [folder: "FOLDER"])
            agent.child.send(SIGTERM)
            #expect(await agent.end() == 0)
        }
    }
}

extension SinkSettings {
    fileprivate var type: String { Self.type }
}

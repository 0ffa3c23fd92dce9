import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineAgent
import TrackEngineTestKit

/// What is said of two sinks whose names OwnTracks' Recorder takes for one.
@Suite(.timeLimit(.minutes(30))) struct RecorderNameTests {
    private static func yaml(_ first: String, _ second: String) -> String {
        """
        device: {id: Van_7}
        sinks:
          - {type: owntracks, name: first, url: "http://127.0.0.1:9/pub", \(first)}
          - {name: second, \(second)}
        """
    }

    private static let http = #"type: owntracks, url: "http://127.0.0.1:9/pub""#
    private static let mqtt = #"type: mqtt, url: "mqtt://127.0.0.1:9", format: owntracks"#

    @Test(arguments: [
        ("user: Jane", "\(http), user: jane", "jane/Van_7", "Jane/Van_7"),
        ("user: jane", "\(http), user: jane, deviceID: van_7", "jane/van_7", "jane/Van_7"),
        ("user: jane", "\(mqtt), user: jane, deviceID: Van-7", "jane/Van-7", "jane/Van_7"),
        ("user: jane_s, deviceID: van-7", "\(mqtt), user: jane-s", "jane-s/Van_7", "jane_s/van-7"),
    ])
    func `names that differ in capitals, underscores and dashes alone are one there`(
        _ first: String, _ second: String, _ name: String, _ other: String
    ) throws {
        let cautions = try Given.configuration(Self.yaml(first, second)).cautions(sourceCount: 1)
        let folded = other.lowercased().replacing("_", with: "-")
        #expect(
            cautions.map(\.line) == [
                "sink second: deviceID = \(name): a receiver may keep it with \(other) of sink first, as \(folded)"
            ])
    }

    @Test(arguments: [
        // The same device by two ways, another device, another user.
        ("user: jane", "\(http), user: jane"), ("user: jane", "\(mqtt), user: jane"),
        ("user: jane", "\(http), user: jane, deviceID: Van_8"), ("user: jane", "\(http), user: janet"),
        // No messages, or topics, of the Recorder's.
        ("user: Jane", #"\#(mqtt), user: jane, topic: "fleet/{device}""#),
        ("user: Jane", #"type: mqtt, url: "mqtt://127.0.0.1:9", deviceID: van-7"#),
    ])
    func `nothing is said of names that are the same or stay apart`(_ first: String, _ second: String) throws {
        let cautions = try Given.configuration(Self.yaml(first, second)).cautions(sourceCount: 1)
        #expect(cautions.isEmpty, "\(cautions)")
    }

    @Test func `check says so, and so does the log of a run`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let agent = try RunningAgent(
                folder, Self.yaml("user: Jane", "\(Self.mqtt), user: jane") + "\nsources: []\n")
            let expected = "jane/Van_7: a receiver may keep it with Jane/Van_7 of sink first, as jane/van-7"
            await agent.prints(expected)
            #expect(try await agent.trackd("check").text.contains("note: sink second: deviceID = \(expected)"))
            agent.child.send(SIGTERM)
            #expect(await agent.end() == 0)
        }
    }
}

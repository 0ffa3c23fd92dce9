import OwnTracksFormat
import TestSupport
import Testing
import TrackEngine
import TrackEngineMQTT
import TrackEngineSettings

@Suite("OwnTracks' messages beside locations, over MQTT")
struct OwnTracksExtrasTests {
    private static let png: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    private static let cmd = #"{"_type":"cmd","action":"reportLocation"}"#

    private func problems(_ format: RecordFormat, _ change: (inout MessageOptions) -> Void) -> [String] {
        Samples.options(format, change).problems.map(\.key)
    }

    private func request(_ payload: [UInt8], secret: String? = nil) throws -> RemoteRequest? {
        let format = try Samples.format(.owntracks) { $0.secret = secret.map(Secret.init) }
        return try format.request(ReceivedMessage(topic: "t", payload: payload), allowed: [.report])
    }

    @Test func `with a secret every payload is encrypted, and opens to what would be sent without`() throws {
        let key = try OwnTracksSecret(Secret("s3cr3t"))
        func change(_ options: inout MessageOptions) {
            options.lastWill = true
            options.card = OwnTracksCard(name: "Van 7", face: Self.png)
        }
        let start = Timestamp(secondsSince1970: 1_772_359_200)
        let plain = try Samples.options(.owntracks, change).makeFormat(startedAt: start)
        let sealed = try Samples.options(.owntracks) {
            change(&$0)
            $0.secret = Secret("s3cr3t")
        }.makeFormat(startedAt: start)
        let answer = #"{"time":"2026-03-01T10:00:00Z","latitude":53.5,"longitude":10}"#
        func all(_ format: any MessageFormat) -> [MQTTMessage] {
            format.messages(for: Samples.all, isBacklog: true).map(\.message) + format.announcements
                + [format.lastWill, format.answer(.report, json: Array(answer.utf8))].compactMap(\.self)
        }
        #expect(all(plain).count == Samples.all.count + 3)
        for (open, hidden) in zip(all(plain), all(sealed)) {
            #expect(open.topic == hidden.topic && open.isRetained == hidden.isRetained)
            #expect(!hidden.text.contains("\"lat\"") && hidden.text.hasPrefix(#"{"_type":"encrypted","data":""#))
            let inner = try key.open(JSONValue.parse(hidden.payload))
            #expect(inner == (try JSONValue.parse(open.payload)))
        }
    }

    @Test func `the last will is not retained, because the position is; the card is`() throws {
        let format = try Samples.format(.owntracks) {
            $0.lastWill = true
            $0.card = OwnTracksCard(name: "Van 7")
        }
        #expect(format.lastWill?.topic == "owntracks/jane/van_7" && format.lastWill?.isRetained == false)
        #expect(format.announcements.map(\.topic) == ["owntracks/jane/van_7/info"])
        #expect(!format.announcements.contains { !$0.isRetained })
        let usual = try Samples.format(.owntracks)
        #expect(usual.lastWill == nil && usual.announcements.isEmpty)
    }

    @Test func `commands come below the topic of the locations`() throws {
        #expect(try Samples.format(.owntracks).commandTopic == "owntracks/jane/van_7/cmd")
        #expect(try Samples.format(.owntracks) { $0.topic = "ot/{source}/{device}" }.commandTopic == nil)
        #expect(try Samples.format(.trackengine).commandTopic == nil)
    }

    @Test func `a command is OwnTracks' own, and beside a secret an encrypted one`() throws {
        #expect(try request(Array(Self.cmd.utf8)) == .report)
        #expect(try request(Array("report".utf8)) == nil)
        func refusal(_ payload: [UInt8], secret: String?) -> String? {
            #expect(throws: RemoteRejection.self) { try request(payload, secret: secret) }?.description
        }
        expectMessage(refusal(Array(Self.cmd.utf8), secret: "s"), as: "a command in plain beside a secret")
        let sealed = try OwnTracksSecret(Secret("s")).sealed(Array(Self.cmd.utf8))
        #expect(try request(sealed, secret: "s") == .report)
        expectMessage(refusal(sealed, secret: "t"), as: "a command under another secret")
        expectMessage(refusal(sealed, secret: nil), as: "an encrypted command without a secret")
    }

    @Test func `a retained command is not carried out`() throws {
        var message = ReceivedMessage(topic: "t", payload: Array(Self.cmd.utf8))
        message.isRetained = true
        let format = try Samples.format(.owntracks)
        let refusal = #expect(throws: RemoteRejection.self) { try format.request(message, allowed: [.report]) }
        expectMessage(refusal?.description)
    }

    @Test func `what only OwnTracks understands is for its format, and for one topic`() {
        for format in [RecordFormat.trackengine, .batch, .homeassistant] {
            let keys = problems(format) {
                $0.secret = Secret("s")
                $0.lastWill = true
                $0.card = OwnTracksCard(name: "Van")
            }
            #expect(keys == ["secret", "lwt", "card"])
        }
        #expect(
            problems(.owntracks) {
                $0.topic = "ot/{source}"
                $0.lastWill = true
                $0.card = OwnTracksCard(name: "", face: [1])
                $0.secret = Secret("")
            } == ["secret", "lwt", "card", "card.face", "card.name"])
    }
}

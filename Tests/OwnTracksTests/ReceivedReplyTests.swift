import OwnTracksFormat
import Testing
import TrackEngine

/// Replies of servers in OwnTracks' HTTP mode.
@Suite struct ReceivedReplyTests {
    private static let command = #"{"_type":"cmd","action":"reportLocation"}"#
    private static let card = #"{"_type":"card","tid":"xx","name":"Jane","topic":"owntracks/jane/phone"}"#
    private static let place = #"{"_type":"location","lat":53.5,"lon":10,"tst":1,"tid":"xx","name":"Bob"}"#

    private func reply(_ text: String, _ secret: OwnTracksSecret? = nil) -> ReceivedReply {
        ReceivedReply(Array(text.utf8), secret: secret)
    }

    @Test(
        arguments: [
            ("", 0), ("[]", 0), ("{", 1), ("OK", 1), ("null", 1), ("[1,\"a\",null,{}]", 4), ("{}", 1),
            (#"{"result":"ok"}"#, 0), (#"[{"result":null},{"_type":"waypoint"},{"_type":7}]"#, 1), ("[[]]", 1),
            (String(repeating: "[", count: 20) + String(repeating: "]", count: 20), 1),
        ])
    func `what has no meaning is left out, and what cannot be read is counted`(_ text: String, _ unreadable: Int) {
        let reply = reply(text)
        #expect(reply.friends.isEmpty && reply.commands.isEmpty && reply.unreadable == unreadable)
    }

    @Test func `a card has a name, a location has none, and a message alone is a list of one`() {
        let reply = reply("[\(Self.card),\(Self.command),\(Self.place)]")
        #expect(reply.friends.map(\.name) == ["Jane", nil])
        #expect(reply.friends.map(\.device) == ["jane/phone", nil])
        #expect(reply.friends.map(\.trackerID) == ["xx", "xx"])
        #expect(reply.friends.map { $0.location?.fix != nil } == [false, true])
        #expect(reply.commands.map { $0["action"]?.string } == ["reportLocation"] && reply.unreadable == 0)
        #expect(self.reply(Self.card).friends == Array(reply.friends.prefix(1)))
    }

    @Test func `of a reply so many messages are read, and so many commands`() {
        func list(_ message: String, _ count: Int) -> String {
            "[" + Array(repeating: message, count: count).joined(separator: ",") + "]"
        }
        let commands = reply(list(Self.command, 20))
        #expect(commands.commands.count == ReceivedReply.maximumCommands && ReceivedReply.maximumCommands == 16)
        #expect(commands.unreadable == 4)
        let cards = reply(list(Self.card, 1_003))
        #expect(cards.friends.count == 1_000 && cards.unreadable == 3)
    }

    @Test func `with a secret, only an encrypted command is trusted, and friends in the clear stay friends`() throws {
        let secret = try OwnTracksSecret(Secret("s"))
        func sealed(_ message: String, _ secret: OwnTracksSecret) -> String {
            String(decoding: secret.sealed(Array(message.utf8)), as: UTF8.self)
        }
        let clear = reply("[\(Self.command),\(Self.card)]", secret)
        #expect(clear.commands.isEmpty && clear.friends.count == 1 && clear.unreadable == 1)
        let both = reply("[\(sealed(Self.command, secret)),\(sealed(Self.card, secret))]", secret)
        #expect(both.commands.count == 1 && both.friends.count == 1 && both.unreadable == 0)
        let foreign = sealed(Self.command, try OwnTracksSecret(Secret("other")))
        #expect(reply("[\(foreign),\(Self.card)]", secret).unreadable == 1)
        #expect(reply("[\(sealed(Self.command, secret))]").unreadable == 1, "without the secret")
        #expect(reply(sealed(#"{"action":"reportLocation"}"#, secret), secret).unreadable == 1)
    }
}

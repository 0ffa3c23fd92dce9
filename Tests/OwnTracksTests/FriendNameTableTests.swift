import OwnTracksFormat
import Testing
import TrackEngine
import TrackEngineSettings

/// Which devices a receiver tells of, and under which names.
@Suite struct FriendNameTableTests {
    private let now = Timestamp(secondsSince1970: 1_772_359_200)

    private func names(_ names: inout FriendNameTable, _ messages: String, own: String = "jane/van") -> [String] {
        devices(&names, messages, own: own).map(\.device.rawValue)
    }

    private func devices(
        _ names: inout FriendNameTable, _ messages: String, own: String = "jane/van"
    ) -> [FollowedDevice] {
        names.devices(
            of: ReceivedReply(Array("[\(messages)]".utf8), secret: nil).friends, except: own, source: "home", now: now)
    }

    private func location(
        _ topic: String?, tid: String = "xx", time: Int = 1_772_359_000, _ latitude: Double = 53.5,
        _ longitude: Double = 10
    ) -> String {
        let topic = topic.map { #","topic":"owntracks/\#($0)""# } ?? ""
        return #"{"_type":"location","lat":\#(latitude),"lon":\#(longitude),"tst":\#(time),"tid":"\#(tid)"\#(topic)}"#
    }

    private func card(_ name: String, _ topic: String?, tid: String = "xx") -> String {
        let topic = topic.map { #","topic":"owntracks/\#($0)""# } ?? ""
        return #"{"_type":"card","name":"\#(name)","tid":"\#(tid)"\#(topic)}"#
    }

    @Test func `two devices of one name are two`() {
        var friends = FriendNameTable()
        let cards = card("Jane", "jane/phone") + "," + card("Jane", "jane/tablet")
        #expect(
            names(&friends, "\(cards),\(location("jane/phone")),\(location("jane/tablet"))") == ["Jane", "jane/tablet"])
        #expect(names(&friends, location("jane/tablet")) == ["jane/tablet"])
        // Also those of whom nothing but the same two characters is known.
        var others = FriendNameTable()
        #expect(names(&others, card("Bob", nil, tid: "bb") + "," + location("b/1", tid: "bb")) == ["Bob"])
        #expect(names(&others, location("b/2", tid: "bb")) == ["b/2"])
    }

    @Test func `who has neither a topic nor two characters is nobody`() {
        var friends = FriendNameTable()
        #expect(names(&friends, card("Jane", nil, tid: "") + "," + location(nil, tid: "")) == [])
    }

    @Test func `the own device is no friend, however it is written`() {
        var friends = FriendNameTable()
        #expect(names(&friends, location("Jane/VAN")) == [])
        #expect(names(&friends, location("jane/van-7"), own: "Jane/Van_7") == [])
    }

    @Test func `a place ahead of the clock counts as of now, and one of another day is none`() throws {
        var friends = FriendNameTable()
        let ahead = try #require(devices(&friends, location("a/b", time: 1_772_362_800)).first)
        #expect(ahead.fix?.time == now)
        #expect(devices(&friends, location("a/b", time: 1_772_359_200 + 90_000)).isEmpty)
    }

    @Test(arguments: [(0.0, 10.0), (53.5, 0.0), (0.0, 0.0)])
    func `a place with a lost latitude or longitude is none, for each friend alone`(
        _ latitude: Double, _ longitude: Double
    ) {
        var friends = FriendNameTable()
        let first = location("jane/phone", time: 1_772_358_000) + "," + location("bob/phone", time: 1_772_358_000)
        #expect(names(&friends, first) == ["jane/phone", "bob/phone"])
        for second in 1...2 {
            let lost = location("jane/phone", time: 1_772_358_000 + second, latitude, longitude)
            #expect(names(&friends, lost) == [])
        }
        let whole = devices(&friends, location("jane/phone", time: 1_772_358_010, 53.6, 10.1))
        #expect(whole.map(\.fix?.coordinate) == [Coordinate(latitude: 53.6, longitude: 10.1)])
        // Nothing is known of where this one was, so five that agree are believed.
        for second in 1...5 {
            let known = names(&friends, location("eve/phone", time: 1_772_358_000 + second, 53.5, 0))
            #expect(known == (second == 5 ? ["eve/phone"] : []))
        }
    }

    @Test func `a receiver that tells of ever more devices is believed of so many`() {
        var friends = FriendNameTable()
        let some = (0..<300).map { location("user/\($0)") }.joined(separator: ",")
        #expect(names(&friends, some).count == FriendNameTable.limit)
        #expect(names(&friends, location("user/7")) == ["user/7"])
        #expect(names(&friends, location("user/299")) == [])
    }
}

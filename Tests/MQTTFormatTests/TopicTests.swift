import Testing
import TrackEngine
import TrackEngineMQTT

@Suite("Topics")
struct TopicTests {
    private let values = TopicValues(base: "fleet/north", device: "van-7", user: "jane")

    /// `key: expectation` of all problems.
    private func problems(_ change: (inout MessageOptions) -> Void) -> [String] {
        do throws(ConfigurationError) {
            _ = try Samples.options(.trackengine, change).makeFormat()
            return []
        } catch {
            return error.problems.map { "\($0.key): \($0.expectation)" }
        }
    }

    private func keys(_ change: (inout MessageOptions) -> Void) -> [String] {
        problems(change).map { String($0.prefix { $0 != ":" }) }
    }

    @Test(arguments: [
        ("{base}/{device}/record", "fleet/north/van-7/record"),
        ("owntracks/{user}/{device}", "owntracks/jane/van-7"),
        ("{source}", "gpsd"),
        ("a/{source}/b/{source}", "a/gpsd/b/gpsd"),
        ("x{device}y", "xvan-7y"),
        ("fixed", "fixed"),
    ])
    func `placeholders are filled in`(_ template: String, _ expected: String) throws {
        #expect(try TopicTemplate(template, values).topic(source: "gpsd") == expected)
    }

    @Test(arguments: [
        ("gpsd", "gpsd"), ("a/b", "a%2Fb"), ("+", "%2B"), ("#", "%23"), ("50%", "50%25"), ("\0", "%00"),
        ("\u{85}", "%C2%85"), ("", "%"), ("ü 2", "ü 2"),
    ])
    func `a source of any name is one level`(_ source: String, _ expected: String) throws {
        #expect(TopicText.level(escaping: source) == expected)
        #expect(TopicText.problem(inLevel: TopicText.level(escaping: source)) == nil)
    }

    @Test func `a source's name takes at most 64 bytes, as the check of the length assumes`() {
        for character in ["x", "/", "ü", "😀", "\u{85}"] {
            #expect(TopicText.level(escaping: String(repeating: character, count: 1000)).utf8.count <= 64)
        }
    }

    @Test(arguments: [
        "a/+/b", "#", "a/#", "$SYS/x", "$share", "", "/a", "a/", "a//b", "a\0b", "a\nb", "a\u{7f}",
        "{base", "base}", "{}", "{Device}", "{device id}", "a}b{c",
    ])
    func `a template that makes no topic is refused`(_ template: String) {
        #expect(keys { $0.topic = template } == ["topic"])
    }

    @Test(arguments: ["", "a/b", "a+", "#", "a\0", "a\r\n"])
    func `a device or a user that is not one level is refused`(_ name: String) {
        #expect(keys { $0.deviceID = DeviceID(rawValue: name) } == ["deviceID"])
        #expect(keys { $0.user = name } == ["user"])
    }

    @Test func `a non-character is refused, as mosquitto refuses it`() {
        let text = String(decoding: [0xef, 0xbf, 0xbe], as: UTF8.self)  // U+FFFE
        #expect(keys { $0.deviceID = DeviceID(rawValue: text) } == ["deviceID"])
    }

    @Test(arguments: ["", "/fleet", "fleet/", "a//b", "$fleet", "fleet/#", "+/fleet", "a\u{1}"])
    func `a base that no topic can begin with is refused`(_ base: String) {
        #expect(keys { $0.base = base } == ["base"])
    }

    @Test func `a topic is bounded far below what MQTT allows`() {
        #expect(keys { $0.topic = String(repeating: "x", count: 512) } == [])
        #expect(keys { $0.topic = String(repeating: "x", count: 513) } == ["topic"])
        #expect(keys { $0.topic = String(repeating: "ü", count: 257) } == ["topic"])
        #expect(keys { $0.topic = "{source}" + String(repeating: "x", count: 448) } == [])
        #expect(keys { $0.topic = "{source}" + String(repeating: "x", count: 449) } == ["topic"])
        #expect(keys { $0.deviceID = DeviceID(rawValue: String(repeating: "x", count: 201)) } == ["deviceID"])
        #expect(keys { $0.base = String(repeating: "x", count: 201) } == ["base"])
    }

    @Test func `with the longest names, the topics beside the records' are as the connection takes them`() {
        let name = String(repeating: "x", count: 200)
        let topics = SinkTopicSet(TopicValues(base: name, device: DeviceID(rawValue: name), user: "u"))
        for topic in [topics.availability, topics.command, topics.reply, topics.last] {
            #expect(TopicName.isValid(topic))
        }
    }

    @Test func `everything that is wrong is reported at once`() {
        #expect(
            keys {
                $0.base = ""
                $0.deviceID = "a/b"
                $0.user = "+"
                $0.assumedAccuracy = 0
                $0.trackerID = "abc"
                $0.topic = "{nothing}/{less}"
            } == ["base", "deviceID", "user", "assumedAccuracy", "topic", "topic", "trackerID"])
    }

    @Test(arguments: ["availability", "cmd", "cmd/reply", "last"])
    func `records do not go where presence, commands or the last record are`(_ end: String) {
        #expect(keys { $0.topic = "{base}/{device}/" + end } == ["topic"])
    }

    @Test func `a problem shows what was given, without what would move a cursor`() {
        let problem = problems { $0.topic = "{nobody}" }.first ?? ""
        #expect(problem == #"topic: no {"nobody"}, but of {base}, {device}, {user}, {source}"#)
        do throws(ConfigurationError) {
            _ = try Samples.options(.batch) { $0.topic = "a\u{1b}[31m\n" + String(repeating: "b", count: 100) }
                .makeFormat()
            Issue.record("accepted")
        } catch {
            #expect(error.problems[0].value == "\"a\u{fffd}[31m\u{fffd}" + String(repeating: "b", count: 73) + "…\"")
        }
    }

    @Test func `Home Assistant follows one topic, so there is no source in it`() {
        #expect(
            keys {
                $0.format = .homeassistant
                $0.topic = "{base}/{source}"
            } == ["topic"])
    }

    @Test func `a topic beside the records' is below base and device`() {
        let topics = SinkTopicSet(values)
        #expect(topics.availability == "fleet/north/van-7/availability")
        #expect(topics.command == "fleet/north/van-7/cmd")
        #expect(topics.reply == "fleet/north/van-7/cmd/reply")
        #expect(topics.last == "fleet/north/van-7/last")
    }

    @Test(arguments: RecordFormat.allCases)
    func `no format publishes records where presence or commands are`(_ format: RecordFormat) throws {
        let topics = Samples.options(format).topics
        let published = try Samples.format(format).messages(for: Samples.all, isBacklog: false).map(\.message.topic)
        #expect(Set(published).isDisjoint(with: [topics.availability, topics.command, topics.reply]))
    }
}

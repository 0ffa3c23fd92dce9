import Foundation
import Testing
import TrackEngine
import TrackEngineMQTT
import TrackEngineTestKit

/// What holds for every format.
@Suite("Messages")
struct MessageTests {
    @Test(arguments: RecordFormat.allCases, [false, true])
    func `the counts add up to the number of records`(_ format: RecordFormat, isBacklog: Bool) throws {
        for count in [1, 2, 5, 250] {
            let messages = try Samples.format(format)
                .messages(for: SampleRecords.records(count: count), isBacklog: isBacklog)
            #expect(messages.reduce(0) { $0 + $1.recordCount } == count)
            #expect(messages.allSatisfy { $0.recordCount > 0 })
        }
    }

    @Test(arguments: RecordFormat.allCases, [false, true])
    func `the same records give the same messages`(_ format: RecordFormat, isBacklog: Bool) throws {
        let records = Samples.all + SampleRecords.records(count: 20)
        #expect(
            try Samples.format(format).messages(for: records, isBacklog: isBacklog)
                == Samples.format(format).messages(for: records, isBacklog: isBacklog))
    }

    @Test(arguments: RecordFormat.allCases, [false, true])
    func `a parser that is not ours reads every payload, also of extreme values`(
        _ format: RecordFormat, isBacklog: Bool
    ) throws {
        let made = try Samples.format(format) { $0.deviceID = "ü \"7\" \\" }
        let records = Samples.all + [Samples.extreme, Samples.nowhere]
        for message in made.messages(for: records, isBacklog: isBacklog) {
            _ = try message.object()
        }
        for message in made.announcements { _ = try message.object() }
        _ = try made.latest(Samples.extreme)?.object()
        _ = try made.health(SinkHealth(queued: .max, lastSuccess: Timestamp(nanosecondsSince1970: .max)))?.object()
    }

    @Test(arguments: RecordFormat.allCases)
    func `every message says that it is JSON, and by which description to read it`(_ format: RecordFormat) throws {
        let made = try Samples.format(format)
        let messages =
            made.messages(for: Samples.all, isBacklog: true).map(\.message) + made.announcements
            + [made.latest(Samples.full), made.health(SinkHealth())].compactMap(\.self)
        for message in messages {
            #expect(message.contentType == "application/json")
            #expect(message.userProperties.contains { $0.name == "schema" && !$0.value.isEmpty })
        }
    }

    @Test(arguments: [RecordFormat.trackengine, .owntracks, .homeassistant])
    func `a message of one record names it beside the payload`(_ format: RecordFormat) throws {
        let messages = try Samples.format(format).messages(for: Samples.all, isBacklog: false)
        let ids = messages.map { $0.message.userProperties.first { $0.name == "record-id" }?.value }
        #expect(ids == Samples.all.map(\.id.description))
    }

    @Test(arguments: RecordFormat.allCases)
    func `messages of a backlog are marked and never retained, others are not marked`(_ format: RecordFormat) throws {
        let made = try Samples.format(format)
        let backlog = made.messages(for: [Samples.full], isBacklog: true).map(\.message)
        let current = made.messages(for: [Samples.full], isBacklog: false).map(\.message)
        #expect(backlog.allSatisfy { $0.userProperties.contains(.init("backlog", "true")) && !$0.isRetained })
        #expect(current.allSatisfy { !$0.userProperties.contains(.init("backlog", "true")) })
    }

    @Test(arguments: RecordFormat.allCases)
    func `the newest record is retained, and not on the topic of the presence`(_ format: RecordFormat) throws {
        let latest = try #require(try Samples.format(format).latest(Samples.full))
        #expect(latest.isRetained)
        #expect(latest.topic != Samples.options(format).topics.availability)
        #expect(!latest.userProperties.contains(.init("backlog", "true")))
    }
}

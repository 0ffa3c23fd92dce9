import Foundation
import SQLiteAccess
import TestSupport
import Testing
import TrackEngine
import TrackEngineHistory
import TrackEngineTestKit

@Suite("Events of a history", .timeLimit(.minutes(30)))
struct EventTests {
    private static let whole =
        Timestamp(nanosecondsSince1970: .min)..<Timestamp(nanosecondsSince1970: .max)

    private func events(
        _ history: TrackHistory, _ times: Range<Timestamp> = whole, of device: DeviceID = Samples.device
    ) async throws -> [HistoryEvent] {
        try await history.events(of: device, during: times, limit: 1_000).events
    }

    @Test func `Visits, trips and transitions come back as they were told`() async throws {
        try await Samples.withHistory { history in
            let entered = try #require(HistoryEvent(Samples.record(.transition(Samples.transition), 30)))
            let told = [
                Samples.visit(0, to: 600, at: PlaceName(id: "home", name: "Zu Hause 🏠")), Samples.visit(10), entered,
                Samples.trip(600, to: 900), Samples.trip(1_000, mode: .boat),
                Samples.visit(2_000, to: 2_600, by: .recording),
            ]
            let added = try await history.add([], events: told.reversed(), of: Samples.device)
            #expect(added.events == 6 && added.refused == 0)
            #expect(try await events(history) == told)
        }
    }

    @Test func `A completed visit takes the place of its announcement, and never the other way round`() async throws {
        try await Samples.withHistory { history in
            let (announced, completed) = (Samples.visit(0), Samples.visit(0, to: 600))
            for (event, isNews) in [
                (announced, true), (announced, false), (completed, true), (announced, false), (completed, false),
            ] {
                let added = try await history.add([], events: [event], of: Samples.device)
                #expect(added.events == (isNews ? 1 : 0))
            }
            #expect(try await events(history) == [completed])
            // Corrected: it ended later.
            _ = try await history.add([], events: [Samples.visit(0, to: 700)], of: Samples.device)
            #expect(try await events(history) == [Samples.visit(0, to: 700)])
        }
    }

    @Test func `Those that overlap a span are found, and those that touch it are not`() async throws {
        try await Samples.withHistory { history in
            let told = [
                Samples.visit(0, to: 100), Samples.trip(100, to: 200), Samples.visit(200, to: 300),
                Samples.trip(300, to: 400), Samples.visit(400),
            ]
            _ = try await history.add([], events: told, of: Samples.device)
            #expect(try await events(history, Samples.seconds(100..<200)) == [told[1]])
            #expect(try await events(history, Samples.seconds(99..<201)) == Array(told[...2]))
            #expect(try await events(history, Samples.seconds(150..<160)) == [told[1]])
            #expect(try await events(history, Samples.seconds(9_000..<9_001)) == [told[4]])
            #expect(try await events(history, Samples.seconds(-9..<0)).isEmpty)
            #expect(try await events(history, of: "another").isEmpty)
        }
    }

    @Test func `Pages follow each other without a repetition, also of one moment`() async throws {
        try await Samples.withHistory { history in
            let told = [-500, 0, 0, 10, 10, 20].enumerated().map { index, begin in
                index % 2 == 0 ? Samples.visit(begin, to: 1_000) : Samples.trip(begin, to: 1_000)
            }
            _ = try await history.add([], events: told, of: Samples.device)
            var (found, position): ([HistoryEvent], HistoryEventPosition?) = ([], nil)
            var pages = 0
            repeat {
                let page = try await history.events(
                    of: Samples.device, during: Samples.seconds(5..<100), after: position, limit: 2)
                #expect(page.events.count <= 2)
                found += page.events
                position = page.next.flatMap { HistoryEventPosition($0.description) }
                pages += 1
            } while position != nil && pages < 10
            #expect(Set(found.map(\.id)) == Set(told.map(\.id)))
            #expect(found.count == told.count)
        }
    }

    @Test func `What is removed of a time goes with all events of it`() async throws {
        try await Samples.withHistory { history in
            let told = [Samples.visit(0, to: 100), Samples.trip(100, to: 200), Samples.visit(200)]
            _ = try await history.add((0..<300).map { Samples.point(Double($0)) }, events: told, of: Samples.device)
            #expect(try await history.remove(Samples.device, during: Samples.seconds(150..<150)) == 0)
            #expect(try await events(history) == told)
            #expect(try await history.remove(Samples.device, during: Samples.seconds(150..<180)) == 30)
            #expect(try await events(history) == [told[0], told[2]])
            #expect(try await history.remove(Samples.device, during: Self.whole) == 270)
            #expect(try await history.devices().isEmpty)
            // Another device that gets its number inherits nothing.
            _ = try await history.add([Samples.point(0)], of: "next")
            #expect(try await events(history, of: "next").isEmpty)
            #expect(try await events(history).isEmpty)
        }
    }

    @Test func `Retention takes events that have ended, and keeps those that reach into what stays`() async throws {
        try await Samples.withHistory { history in
            let day = 86_400
            let told = [
                Samples.visit(0, to: day), Samples.trip(day, to: 8 * day), Samples.visit(2 * day),
                Samples.visit(9 * day, to: 9 * day + 60),
            ]
            _ = try await history.add(
                (0...10).map { Samples.point(Double($0 * day)) }, events: told, of: Samples.device)
            // A device that has nothing but events is not forgotten by it.
            _ = try await history.add(
                [], events: [Samples.visit(0, to: 60), Samples.visit(50 * day, to: 51 * day)], of: "silent")
            var retention = HistoryRetention()
            retention.keepDays = 3
            let now = Samples.time(100 * day)
            #expect(try await history.prune(retention, now: now) == 7)
            #expect(try await events(history) == Array(told[1...]))
            #expect(try await events(history, of: "silent") == [Samples.visit(50 * day, to: 51 * day)])
        }
    }

    @Test func `More bytes than allowed cost the oldest events, too`() async throws {
        try await Samples.withHistory { history in
            for batch in 0..<20 {
                let points = (0..<1000).map { Samples.point(Double(batch * 1000 + $0), north: Double($0)) }
                let visits = (0..<300).map { Samples.visit(batch * 1000 + $0, to: batch * 1000 + $0 + 1) }
                _ = try await history.add(points, events: visits, of: Samples.device)
                _ = try await history.add([], events: visits, of: "silent")
            }
            var retention = HistoryRetention()
            retention.maxBytes = try await history.bytes() / 2
            _ = try await history.prune(retention)
            #expect(try await history.bytes() <= retention.maxBytes)
            let first = try #require(try await history.points(of: Samples.device, during: Self.whole, limit: 1).first)
            let left = try await events(history)
            #expect(left.allSatisfy { $0.end.map { $0 > first.fix.time.advanced(by: .seconds(-1)) } ?? false })
            #expect(try await events(history, of: "silent").count < 6_000)
        }
    }

    @Test func `A place that is none is refused, and nothing else of its batch`() async throws {
        try await Samples.withHistory { history in
            let sink = HistorySink(history: history, device: Samples.device)
            guard case .visit(let good) = Samples.visit(0).content else { return }
            let bad = Visit(
                id: EventID(rawValue: 7), centre: Coordinate(latitude: 91, longitude: 0), radius: 3,
                arrival: Samples.start)
            let records = [
                Samples.record(.visit(good), 1), Samples.record(.visit(bad), 2), Samples.record(.location, 3),
            ]
            let receipt = try await sink.deliver(RecordBatch(records: records))
            #expect(receipt.refused.keys.map(\.self) == [records[1].id])
            #expect(try await events(history) == [Samples.visit(0)])
            #expect(try await history.points(of: Samples.device, during: Self.whole, limit: 9).count == 1)
            #expect(sink.kinds == [.location, .visit, .trip, .transition])
        }
    }

    @Test(arguments: [nil, Samples.key])
    func `A history of the release before has room for events`(_ key: StoreKey?) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            var history = try await TrackHistory.open(directory: directory, key: key)
            _ = try await history.add([Samples.point(0)], of: Samples.device)
            await history.close()
            let path = directory + "/history.sqlite"
            try Databases.change(path, "DROP TABLE event; PRAGMA user_version = \(key == nil ? 2 : 102)")
            for round in 0..<2 {
                history = try await TrackHistory.open(directory: directory, key: key)
                #expect(try await history.points(of: Samples.device, during: Self.whole, limit: 9).count == 1)
                let added = try await history.add([], events: [Samples.trip(0, to: 60)], of: Samples.device)
                #expect(added.events == (round == 0 ? 1 : 0))
                #expect(try await events(history) == [Samples.trip(0, to: 60)])
                await history.close()
            }
        }
    }

    @Test func `Encrypted and in plain again it has the same events, and its files tell no place in between`()
        async throws
    {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let told = [Samples.visit(0, at: PlaceName(id: "p", name: "Geheimversteck")), Samples.trip(5, to: 60)]
            var history = try await TrackHistory.open(directory: directory)
            _ = try await history.add([Samples.point(0)], events: told, of: Samples.device)
            for key in [Samples.key, nil] {
                await history.close()
                if key == nil { try await EncryptedHistory(directory: directory).decrypt(with: Samples.key) }
                history = try await TrackHistory.open(directory: directory, key: key)
                #expect(try await events(history) == told)
                let bytes = try FileManager.default.contentsOfDirectory(atPath: directory)
                    .map { try Data(contentsOf: URL(fileURLWithPath: directory + "/" + $0)) }
                let id = withUnsafeBytes(of: told[0].id.rawValue.bigEndian) { Data($0) }
                for secret in [Data("Geheimversteck".utf8), id] {
                    #expect(bytes.contains { $0.range(of: secret) != nil } == (key == nil))
                }
            }
            await history.close()
        }
    }

    @Test(arguments: [nil, Samples.key])
    func `A damaged event is left out, and told again it is there`(_ key: StoreKey?) async throws {
        try await TestEnvironment.withTemporaryDirectory { directory in
            let told = [Samples.visit(0, to: 5), Samples.trip(5, to: 60)]
            var history = try await TrackHistory.open(directory: directory, key: key)
            _ = try await history.add([], events: told, of: Samples.device)
            await history.close()
            try Databases.change(
                directory + "/history.sqlite",
                "UPDATE event SET contents = substr(contents, 1, 9) WHERE begin = (SELECT min(begin) FROM event)")
            history = try await TrackHistory.open(directory: directory, key: key)
            #expect(try await events(history) == [told[1]])
            _ = try await history.add([], events: told, of: Samples.device)
            #expect(try await events(history) == told)
            await history.close()
        }
    }

    @Test func `A text that is no position in the order of events is none`() throws {
        for text in ["", "7", "x.00", "5.0", "5.0g", "5.00" + String(repeating: "00", count: 80)] {
            #expect(HistoryEventPosition(text) == nil, "\(text)")
        }
        #expect(HistoryEventPosition("-5.00ff")?.description == "-5.00ff")
    }
}

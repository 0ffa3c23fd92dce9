import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineTestKit

/// A whole day through four sinks at once: what is found in it, what reaches whom, and what nobody sees.
@Suite(.timeLimit(.minutes(30))) struct SimulatedDayTests {
    /// A record of the store.
    private struct Stored {
        let id: String
        let kind: String
    }

    private func stored(_ export: String) throws -> [Stored] {
        try export.split(separator: "\n").map { line in
            let json = try JSONValue.parse(line.utf8)
            return Stored(id: json["id"]?.string ?? "", kind: json["kind"]?.string ?? "location")
        }
    }

    @Test func `kills and absences change nothing of a day: each event reaches each consumer once, in order`()
        async throws
    {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let day = SimulatedDay()
            let system = try await DaySystem(folder, day)
            defer { system.end() }
            try await goThroughKills(system)
            try await system.finish()

            let export = try await DaySystem.export(folder)
            let records = try stored(export)
            await eventually("the subscriber has everything") {
                guard let messages = try? system.messages() else { return false }
                return Set(messages.compactMap(\.own?.id)).count == records.count
            }
            checkOwn(try system.messages(), records)
            checkOverland(try system.features(), records)
            checkOwnTracks(try system.messages(), records)
            try checkHomeAssistant(try system.messages(), records, system)
            try checkPrivacy(of: day, system, export)

            // The same day in a fresh store, undisturbed, has the same bytes.
            #expect(try await DaySystem.replay(day, in: folder + "/calm") == export)
        }
    }

    @Test func `a day that is replayed has the same bytes, and without zones what they hide is found`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let day = SimulatedDay()
            let first = try await DaySystem.replay(day, in: folder + "/first")
            #expect(try await DaySystem.replay(day, in: folder + "/second") == first)
            #expect(day.hiddenPositions.count > 40)
            let hidden = HiddenPositions(day.hiddenPositions)
            #expect(hidden.first(in: Array(first.utf8)) == nil)
            #expect(try foundInStore(hidden, folder + "/first") == [])

            // The search can fail: there is something to be found where nothing is hidden.
            let open = try await DaySystem.replay(day, in: folder + "/open", hides: false)
            #expect(hidden.first(in: Array(open.utf8)) != nil)
            #expect(try foundInStore(hidden, folder + "/open") != [])
        }
    }

    private func foundInStore(_ hidden: HiddenPositions, _ folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder + "/state").filter { name in
            let content = FileManager.default.contents(atPath: "\(folder)/state/\(name)").map { [UInt8]($0) }
            return content.flatMap { hidden.first(in: $0) } != nil
        }
    }

    /// Twelve kills at random moments; the receiver is away for some of them, and the broker for others.
    private func goThroughKills(_ system: DaySystem) async throws {
        var chance = SystemRandomNumberGenerator()
        var arrived: Set<Int> = []
        for kill in 1...12 {
            switch kill {
            case 4: system.receiver.stop()
            case 6: try await system.receiver.restart()
            case 7: system.broker.stop()
            case 9: try await system.broker.restart()
            default: break
            }
            try await system.runAndKill(after: .milliseconds(Int.random(in: 100...400, using: &chance)))
            arrived.insert(try system.subscriber.messages().count)
        }
        #expect(arrived.count >= 4, "the kills fell into the day and not beside it")
    }

    // MARK: Consumers

    /// The ids of the store's records of some kinds, in its order.
    private func ids(_ records: [Stored], _ kinds: Set<String>) -> [String] {
        records.filter { kinds.contains($0.kind) }.map(\.id)
    }

    /// The events of a consumer that is told no times.
    private func words(_ arrivals: [DayArrival]) -> [String] { arrivals.compactMap(\.event).map(\.description) }

    private func expected(_ kinds: Set<String>) -> [SimulatedDay.Event] {
        SimulatedDay.events.filter { kinds.contains($0.what) }
    }

    private func checkOwn(_ messages: [DayMessage], _ records: [Stored]) {
        let arrivals = DayArrival.withoutRepetitions(messages.compactMap(\.own))
        #expect(arrivals.map(\.id) == records.map(\.id))
        let events = arrivals.compactMap(\.event)
        #expect(events.map(\.description) == SimulatedDay.events.map(\.description))
        for (event, expected) in zip(events, SimulatedDay.events) {
            guard let time = event.time, let due = expected.time else {
                Issue.record("\(event) has no time")
                continue
            }
            let seconds = abs(time.duration(since: due) / .seconds(1))
            #expect(seconds <= SimulatedDay.tolerance(expected), "\(event) at \(time), due at \(due)")
        }
        for message in messages where message.message.topic == "fleet/van-7/event" {
            #expect(message.payload["schema"]?.string == "trackengine.event/1" && message.payload["device"] != nil)
        }
    }

    private func checkOverland(_ features: [DayArrival], _ records: [Stored]) {
        let arrivals = DayArrival.withoutRepetitions(features)
        // A trip is told at its end.
        let known = Set(arrivals.map(\.id))
        let order = ids(records, ["location", "visit", "trip", "heartbeat"]).filter { known.contains($0) }
        #expect(arrivals.map(\.id) == order)
        #expect(Set(ids(records, ["location", "visit", "heartbeat"])).isSubset(of: known))
        #expect(words(arrivals) == expected(["arrival", "departure", "trip_end"]).map(\.description))
    }

    private func checkOwnTracks(_ messages: [DayMessage], _ records: [Stored]) {
        let phone = messages.filter { $0.ownTracks != nil }
        let arrivals = DayArrival.withoutRepetitions(phone.compactMap(\.ownTracks))
        #expect(arrivals.map(\.id) == ids(records, ["location", "transition", "heartbeat"]))
        let told: Set<String> = ["enter", "leave", "dwell", "heartbeat"]
        #expect(words(arrivals) == expected(told).map(\.description))
        var seen: [String: String] = [:]
        for message in phone {
            let isTransition = message.message.topic == "owntracks/jane/van-7/event"
            #expect(isTransition || message.message.topic == "owntracks/jane/van-7")
            let problems =
                isTransition
                ? OwnTracksModel.problems(transition: message.object) : OwnTracksModel.problems(message.object)
            #expect(problems == [], "\(message.message.payload)")
            let known = seen.updateValue(message.message.payload, forKey: message.ownTracks?.id ?? "")
            #expect(known.map { $0 == message.message.payload } ?? true, "a repetition says the same")
        }
        checkRegions(phone)
    }

    /// Each location names the regions that the transitions up to its own time tell.
    private func checkRegions(_ phone: [DayMessage]) {
        func time(_ message: DayMessage) -> Double { message.payload["tst"]?.number ?? 0 }
        func isTransition(_ message: DayMessage) -> Bool { message.payload["_type"]?.string == "transition" }
        var seen: Set<String> = []
        let first = phone.filter { seen.insert($0.ownTracks?.id ?? "").inserted }
        var changes = first.filter(isTransition)[...]
        var inside = ["Home"]  // where it was from the beginning, which no transition tells
        for location in first where !isTransition(location) {
            while let change = changes.first, time(change) <= time(location) {
                let name = change.payload["desc"]?.string ?? ""
                if change.payload["event"]?.string == "enter" {
                    inside.append(name)
                } else {
                    #expect(inside.contains(name), "\(name) is left and was never entered")
                    inside.removeAll { $0 == name }
                }
                changes.removeFirst()
            }
            let regions = location.payload["inregions"]?.array?.compactMap(\.string) ?? []
            #expect(regions == inside, "\(location.message.payload)")
        }
        #expect(changes.isEmpty && inside == ["Home"])
    }

    private func checkHomeAssistant(_ messages: [DayMessage], _ records: [Stored], _ system: DaySystem) throws {
        let descriptions = messages.filter { $0.message.topic == "homeassistant/device/van-7/config" }
        let description = try #require(descriptions.first)
        #expect(Set(descriptions.map(\.message.payload)).count == 1, "it never changes")
        #expect(HomeAssistantModel.problems(topic: description.message.topic, description.object) == [])
        let components = try #require(description.object["components"] as? [String: [String: Any]])

        let events = messages.filter { $0.homeAssistantEvent != nil }
        let arrivals = DayArrival.withoutRepetitions(events.compactMap(\.homeAssistantEvent))
        #expect(arrivals.map(\.id) == ids(records, ["transition", "visit", "trip"]))
        #expect(
            words(arrivals) == SimulatedDay.events.filter { $0.what != "heartbeat" }.map { "\($0.what) \($0.place)" })
        let entity = try #require(components["event"])
        let topics = Set([entity["state_topic"] as? String, "house/van-7/attributes/history"])
        for event in events {
            #expect(HomeAssistantModel.event(entity, event.object) != nil, "\(event.message.payload)")
            #expect(topics.contains(event.message.topic))
        }

        // What an entity shows is in what it follows.
        for (key, component) in components {
            let follows = (component["state_topic"] ?? component["json_attributes_topic"]) as? String
            let states = messages.filter { $0.message.topic == follows }
            #expect(!states.isEmpty || key == "event", "\(key) follows \(follows ?? "nothing")")
            // There is no battery, and the last success is told ten seconds after the first report.
            for field in HomeAssistantModel.fields(component) where !["battery_level", "last_success"].contains(key) {
                #expect(states.contains { $0.object[field] != nil }, "\(key) shows \(field)")
            }
        }
        let places = messages.filter { $0.message.topic.hasPrefix("house/van-7/attributes") }
            .filter { $0.homeAssistantEvent == nil }
        #expect(places.allSatisfy { (HomeAssistantModel.place($0.object)?.accuracy ?? 0) >= 1 })
        #expect(Set(places.compactMap { $0.property("record-id") }) == Set(ids(records, ["location"])))
        #expect(
            places.last { $0.message.topic == "house/van-7/attributes" }?.property("record-id")
                == ids(records, ["location"]).last)
        let words = try system.subscriber.messages().filter { $0.topic == "house/van-7/availability" }.map(\.payload)
        #expect(Set(words) == ["online", "offline"])
    }

    // MARK: Privacy

    private func checkPrivacy(of day: SimulatedDay, _ system: DaySystem, _ export: String) throws {
        let hidden = HiddenPositions(day.hiddenPositions)
        #expect(hidden.first(in: Array(export.utf8)) == nil)
        let written = try system.everythingWritten()
        for (name, bytes) in written { #expect(hidden.first(in: bytes) == nil, "\(name)") }
        #expect(written.contains { $0.name == "messages" } && written.contains { $0.name == "log" })
        #expect(written.contains { $0.name.hasPrefix("state/") && $0.bytes.count > 100_000 })
        // The names of what is hidden are nowhere, either.
        for (name, bytes) in written {
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(!text.contains("Yard") && !text.contains("Clinic"), "\(name)")
        }
    }
}

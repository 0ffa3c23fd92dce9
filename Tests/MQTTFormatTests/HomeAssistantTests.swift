import Foundation
import TestSupport
import Testing
import TrackEngine
import TrackEngineMQTT
import TrackEngineTestKit

@Suite("The Home Assistant format")
struct HomeAssistantTests {
    private func attributes(
        _ record: TrackRecord, _ change: (inout MessageOptions) -> Void = { _ in }
    ) throws -> [String: Any] {
        try Samples.format(.homeassistant, change).messages(for: [record], isBacklog: false)[0].object()
    }

    private func components() throws -> [String: [String: Any]] {
        let description = try Samples.format(.homeassistant).announcements[0].object()
        return try #require(description["components"] as? [String: [String: Any]])
    }

    @Test func `Home Assistant accepts the description`() throws {
        for device in ["van_7", "van 7", "ü", "A-1"] {
            let format = try Samples.format(.homeassistant) { $0.deviceID = DeviceID(rawValue: device) }
            let message = format.announcements[0]
            #expect(HomeAssistantModel.problems(topic: message.topic, try message.object()) == [])
            #expect(message.isRetained)
        }
    }

    @Test func `the model finds what is wrong`() {
        let wrong: [String: Any] = [
            "device": [String: Any](), "cmd": 1,
            "components": ["a": ["platform": "sensor", "device_class": "speed"], "b": ["platform": "lamp"]],
        ]
        let problems = HomeAssistantModel.problems(topic: "homeassistant/device/van 7/config", wrong)
        #expect(problems.count == 8)
    }

    @Test func `every event is one that the entity of events knows, at its topic, and is not retained`() throws {
        let format = try Samples.format(.homeassistant)
        let entity = try #require(try components()["event"])
        let carried = Samples.events.filter { format.kinds.contains($0.kind) }
        let messages = format.messages(for: carried, isBacklog: false).map(\.message)
        #expect(messages.count == 7)
        for message in messages {
            #expect(HomeAssistantModel.event(entity, try message.object()) != nil)
            #expect(message.topic == entity["state_topic"] as? String)
            #expect(!message.isRetained)
        }
    }

    @Test func `the end of a trip takes its mode and distance back, though no position follows`() throws {
        let format = try Samples.format(.homeassistant)
        let end = try #require(
            Samples.events.first {
                if case .trip(let trip) = $0.content { trip.end != nil } else { false }
            })
        let messages = format.messages(for: [end], isBacklog: false)
        #expect(messages.map(\.recordCount) == [1, 0])
        let attributes = try messages[1].object()
        #expect(messages[1].message.topic == format.latest(Samples.full)?.topic)
        #expect(attributes["trip_mode"] is NSNull && attributes["trip_distance"] is NSNull)
        #expect(format.messages(for: [end], isBacklog: true).count == 1)
    }

    @Test func `a place that was left and a trip that has ended are null`() throws {
        let attributes = try attributes(Samples.minimal)
        for key in ["place", "place_id", "trip_mode", "trip_distance"] { #expect(attributes[key] is NSNull, "\(key)") }
        let sensor = try #require(try components()["place"])
        #expect(HomeAssistantModel.state(sensor, attributes) == nil)
    }

    @Test func `what happened long ago does not happen now`() throws {
        let format = try Samples.format(.homeassistant)
        let entity = try #require(try components()["event"])
        for message in format.messages(for: Samples.events.filter { format.kinds.contains($0.kind) }, isBacklog: true) {
            #expect(message.message.topic != entity["state_topic"] as? String)
        }
    }

    @Test func `it has a tracker and sensors for movement, place, battery, queue, last success, and events`() throws {
        let components = try components()
        #expect(
            Set(components.keys) == [
                "location", "speed", "place", "altitude", "course", "moving", "battery_level", "queued", "last_success",
                "event",
            ])
        #expect(components["location"]?["platform"] as? String == "device_tracker")
    }

    @Test func `the tracker follows the topic of the attributes, and its name is the device's`() throws {
        let format = try Samples.format(.homeassistant)
        let record = format.messages(for: [Samples.full], isBacklog: false)[0].message
        #expect(try components()["location"]?["json_attributes_topic"] as? String == record.topic)
        #expect(try components()["location"]?["name"] is NSNull)
        #expect(record.isRetained)
    }

    @Test func `the state topic of the tracker is deprecated and not used`() throws {
        #expect(try components()["location"]?["state_topic"] == nil)
    }

    @Test func `sensors follow topics that are published to`() throws {
        let format = try Samples.format(.homeassistant)
        let attributes = format.messages(for: [Samples.full], isBacklog: false)[0].message
        let health = try #require(format.health(SinkHealth(queued: 3, lastSuccess: Samples.full.fix.time)))
        let messages = [attributes.topic: try attributes.object(), health.topic: try health.object()]
        var states: [String: String] = [:]
        for (key, component) in try components() where component["platform"] as? String == "sensor" {
            let topic = try #require(component["state_topic"] as? String)
            states[key] = HomeAssistantModel.state(component, try #require(messages[topic]))
        }
        #expect(
            states == [
                "speed": "3.43", "altitude": "12.5", "course": "0", "battery_level": "64", "queued": "3",
                "last_success": "2026-03-01T10:00:00Z",
            ])
    }

    @Test func `what is not known is unknown to a sensor, and standing still is not`() throws {
        let sensor = try #require(try components()["speed"])
        #expect(HomeAssistantModel.state(sensor, try attributes(Samples.minimal)) == nil)
        #expect(HomeAssistantModel.state(sensor, try attributes(Samples.southWest)) == "0")
    }

    @Test func `the presence is the sink's, and the last place stays while the vehicle is off`() throws {
        let description = try Samples.format(.homeassistant).announcements[0].object()
        #expect(description["availability_topic"] == nil)  // it would be that of the tracker, too
        for (key, component) in try components() {
            let expected = key == "location" ? nil : Samples.options(.homeassistant).topics.availability
            #expect(component["availability_topic"] as? String == expected, "\(key)")
        }
    }

    @Test func `whether it is moving is on or off`() throws {
        let sensor = try #require(try components()["moving"])
        #expect(sensor["platform"] as? String == "binary_sensor")
        #expect(sensor["device_class"] as? String == "moving")
        #expect(sensor["value_template"] as? String == "{{ 'ON' if value_json.moving else 'OFF' }}")
        #expect(try attributes(Samples.full)["moving"] as? Bool == true)
        #expect(try attributes(Samples.southWest)["moving"] as? Bool == false)
    }

    @Test func `the software's version is shown where it is known`() throws {
        let known = try Samples.format(.homeassistant) { $0.softwareVersion = "1.2.3" }.announcements[0].object()
        #expect((known["device"] as? [String: Any])?["sw_version"] as? String == "1.2.3")
        #expect((known["origin"] as? [String: Any])?["sw_version"] as? String == "1.2.3")
        let unknown = try Samples.format(.homeassistant).announcements[0].object()
        #expect((unknown["device"] as? [String: Any])?["sw_version"] == nil)
    }

    @Test func `coordinates and accuracy are numbers, the accuracy never 0 and never missing`() throws {
        typealias Place = HomeAssistantModel.Place
        #expect(
            HomeAssistantModel.place(try attributes(Samples.full))
                == Place(latitude: 53.550_332_2, longitude: 9.987_123_4, accuracy: 4.6))
        #expect(
            HomeAssistantModel.place(try attributes(Samples.southWest))
                == Place(latitude: -33.868_8, longitude: -151.209_3, accuracy: 1))
        #expect(HomeAssistantModel.place(try attributes(Samples.minimal))?.accuracy == 100)
        #expect(
            HomeAssistantModel.place(try attributes(Samples.minimal) { $0.assumedAccuracy = 30 })?.accuracy == 30)
    }

    @Test func `a place that is none resets the tracker instead of moving it`() throws {
        #expect(HomeAssistantModel.place(try attributes(Samples.nowhere)) == nil)
    }

    @Test func `of a batch only the newest is the place; the past goes where it is not followed`() throws {
        let format = try Samples.format(.homeassistant)
        let now = try #require(try components()["location"]?["json_attributes_topic"] as? String)
        let topics = format.messages(for: Samples.all, isBacklog: false).map(\.message.topic)
        #expect(topics == Array(repeating: now + "/history", count: 4) + [now])
        #expect(
            format.messages(for: [Samples.full], isBacklog: true).map(\.message.topic) == [now + "/history"])
        #expect(format.latest(Samples.full)?.topic == now)
    }

    @Test func `it announces itself again when Home Assistant says online`() throws {
        #expect(try Samples.format(.homeassistant).birthTopic == "homeassistant/status")
    }

    @Test(arguments: [
        ("van-7", "van-7"), ("van_7", "van__7"), ("van 7", "van_207"), ("ü", "_C3_BC"), ("a.b", "a_2Eb"),
        ("\u{1}x", "_01x"),
    ])
    func `a device's name becomes an object id`(_ device: String, _ expected: String) {
        #expect(HomeAssistantID.escaping(device) == expected)
    }

    @Test func `different names become different object ids`() {
        let alphabet = ["_", "2", "0", "F", " ", "/", "-", "ü"]
        var names = [""]
        for _ in 0..<4 { names += names.flatMap { name in alphabet.map { name + $0 } } }
        let distinct = Set(names)
        #expect(Set(distinct.map(HomeAssistantID.escaping)).count == distinct.count)
    }
}

package import TrackEngine

/// A tracker that Home Assistant discovers, with sensors for speed, altitude, course, moving, battery, queue and
/// last success.
///
/// Home Assistant timestamps received messages with its own clock, so it would store past positions as present ones.
/// Only the newest record goes to the attributes topic, retained. Older ones go to `…/history`, which Home Assistant
/// does not follow, so each record is still acknowledged.
package struct HomeAssistantFormat: MessageFormat {
    /// The name of the schema for MQTT 5's consumers.
    package static let schema = "homeassistant.attributes"

    /// Positions, and the kinds that an event entity can show.
    package let kinds = HomeAssistantEvent.kinds.union(.location)

    private let discovery: HomeAssistantDiscovery
    private let historyTopic: String
    private let assumedAccuracy: Double

    init(_ options: MessageOptions, topic: String) {
        discovery = HomeAssistantDiscovery(
            device: options.deviceID, attributesTopic: topic, healthTopic: options.topics.health,
            eventTopic: options.topics.event, availabilityTopic: options.topics.availability,
            softwareVersion: options.softwareVersion)
        historyTopic = topic + "/history"
        assumedAccuracy = Double(options.assumedAccuracy)
    }

    /// A message for each record; the last position of the newest batch is the object's current position.
    package func messages(for records: [TrackRecord], isBacklog: Bool) -> [RecordMessage] {
        let newest = isBacklog ? nil : records.lastIndex { $0.kind == .location }
        var messages = records.indices.map { index in
            if let payload = HomeAssistantEvent.payload(of: records[index]) {
                let id = MQTTMessage.UserProperty.recordID(records[index].id)
                // An event of the past must not occur now.
                return RecordMessage(
                    isBacklog
                        ? .json(historyTopic, payload, [id, .schema("homeassistant.event"), .backlog])
                        : .json(discovery.eventTopic, payload, [id, .schema("homeassistant.event")]))
            }
            return RecordMessage(message(records[index], isNow: index == newest))
        }
        // A trip ends at rest, and no position may follow for a long time.
        if let last = records.last, !isBacklog, last.endsTrip {
            messages.append(RecordMessage(message(last, isNow: true), recordCount: 0))
        }
        return messages
    }

    /// The newest record on the attributes topic: while a backlog drains, no other message shows the current
    /// position.
    package func latest(_ record: TrackRecord) -> MQTTMessage? {
        message(record, isNow: true)
    }

    /// The latest record uses the topic of the records.
    package var latestHasOwnTopic: Bool { false }

    /// The description of the device, retained for a Home Assistant that starts later.
    package var announcements: [MQTTMessage] { [discovery.message] }

    /// Home Assistant's birth message.
    package var birthTopic: String? { HomeAssistantDiscovery.prefix + "/status" }

    /// The queue and the last success, for the sensors.
    package func health(_ health: SinkHealth) -> MQTTMessage? {
        let document = JSONValue.members(
            ("queued", health.queued.map { .whole($0) }),
            ("last_success", health.lastSuccess.map { .string($0.rfc3339(.seconds)) }))
        return .json(
            discovery.healthTopic, document.bytes, isRetained: true, [.schema("homeassistant.health")])
    }

    private func message(_ record: TrackRecord, isNow: Bool) -> MQTTMessage {
        var writer = JSONWriter(capacity: 320)
        write(record, to: &writer)
        let id = MQTTMessage.UserProperty.recordID(record.id)
        return .json(
            isNow ? discovery.attributesTopic : historyTopic, writer.bytes, isRetained: isNow,
            isNow ? [id, Self.schemaProperty] : [id, Self.schemaProperty, .backlog])
    }

    private static let schemaProperty = MQTTMessage.UserProperty.schema(schema)
}

// MARK: Attributes

extension HomeAssistantFormat {
    /// Writes a tracker's attributes. Home Assistant replaces a missing accuracy by 0, which means perfect or
    /// unknown.
    private func write(_ record: TrackRecord, to writer: inout JSONWriter) {
        let fix = record.fix
        writer.member(#"{"latitude":"#, fix.coordinate.latitude, decimals: 7)
        writer.member(#","longitude":"#, fix.coordinate.longitude, decimals: 7)
        writer.member(#","gps_accuracy":"#, fix.horizontalAccuracy.map { max($0, 1) } ?? assumedAccuracy, decimals: 1)
        writer.member(#","altitude":"#, fix.altitude, decimals: 1)
        writer.member(#","vertical_accuracy":"#, fix.altitude == nil ? nil : fix.verticalAccuracy, decimals: 1)
        writer.member(#","speed":"#, fix.speed, decimals: 2)
        writer.member(#","course":"#, fix.course.map { Double($0.wholeNumber % 360) }, decimals: 0)
        writer.raw(record.isMoving ? #","moving":true"# : #","moving":false"#)
        writer.member(#","activity":"#, record.activity?.activity.name)
        writer.member(#","battery_level":"#, record.host?.batteryLevel.map { $0 * 100 }, decimals: 0)
        if let state = record.host?.batteryState, state != .unknown {
            writer.raw(state == .charging ? #","battery_charging":true"# : #","battery_charging":false"#)
        }
        write(record.context, at: record, to: &writer)
        writer.member(#","time":"#, fix.time)
        writer.raw("}")
    }

    /// Writes the object's place, which is the place entered last, and the current trip; `null` clears earlier
    /// values.
    private func write(_ context: RecordContext?, at record: TrackRecord, to writer: inout JSONWriter) {
        if let place = context?.places.last {
            writer.member(#","place":"#, place.name)
            writer.member(#","place_id":"#, place.id)
        } else {
            writer.raw(#","place":null,"place_id":null"#)
        }
        if let trip = context?.trip, !record.endsTrip {
            writer.member(#","trip_mode":"#, trip.mode.name)
            writer.member(#","trip_distance":"#, record.odometer.map(trip.distance(at:)), decimals: 0)
        } else {
            writer.raw(#","trip_mode":null,"trip_distance":null"#)
        }
    }
}

extension TrackRecord {
    /// Whether the record ends a trip.
    fileprivate var endsTrip: Bool {
        if case .trip(let trip) = content { trip.end != nil } else { false }
    }
}

package import TrackEngine

/// The location message of OwnTracks, one for each record: `{"_type":"location",…}`.
///
/// Its units are not ours: whole metres, whole **km/h**, whole degrees, whole seconds since 1970 (OwnTracks' JSON schema;
/// what consumers make of it is in the catalogue's article "What consumers expect").
///
/// | member | from |
/// |---|---|
/// | `_id` | the record's id, the same for a repetition |
/// | `tst`, `created_at` | the time of the fix, both: a message that is built again must not change |
/// | `acc` | horizontal accuracy, at least 1; where unknown, the assumed one. Never missing, never 0 |
/// | `alt`, `vac` | altitude above mean sea level and its accuracy; never the ellipsoidal altitude |
/// | `vel`, `cog` | speed × 3.6 and course, rounded |
/// | `m` | 2 (move) while moving, else 1 (significant) |
/// | `t` | `u` asked for by somebody, `t` because of time passed, `k` came to rest; else absent, which is automatic |
/// | `batt`, `bs` | battery in per cent; 1 unplugged, 2 charging, 3 full |
/// | `topic` | where the message goes: Dawarich takes `vel` for metres per second where it is missing |
package struct OwnTracksFormat: MessageFormat {
    /// How the messages name their description to MQTT 5's consumers.
    package static let schema = "owntracks.location"

    private let topic: TopicTemplate
    private let assumedAccuracy: Int64
    /// `,"tid":"…"}`: what each message ends with.
    private let tail: [UInt8]

    init(_ options: MessageOptions, _ topic: TopicTemplate) {
        self.topic = topic
        assumedAccuracy = Int64(options.assumedAccuracy)
        var writer = JSONWriter()
        writer.raw(#","tid":"#)
        writer.string(options.trackerID ?? Self.trackerID(of: options.deviceID))
        writer.raw("}")
        tail = writer.bytes
    }

    /// A message for each record, retained unless newer records wait: the retained position never moves back.
    package func messages(for records: [TrackRecord], isBacklog: Bool) -> [RecordMessage] {
        var cache = SourceCache()
        return records.map { record in
            cache.turn(to: record.source, topic)
            return RecordMessage(message(record, to: cache, isBacklog: isBacklog))
        }
    }

    /// The newest record's own message, ahead of its turn, in which it comes again with the same `tst` and `_id`.
    package func latest(_ record: TrackRecord) -> MQTTMessage? {
        var cache = SourceCache()
        cache.turn(to: record.source, topic)
        return message(record, to: cache, isBacklog: false)
    }

    /// It goes where the records go.
    package var latestHasOwnTopic: Bool { false }

    private func message(_ record: TrackRecord, to place: SourceCache, isBacklog: Bool) -> MQTTMessage {
        var writer = JSONWriter(capacity: 384)
        writer.raw(#"{"_type":"location","_id":"#)
        let idStart = writer.bytes.count + 1
        writer.recordID(record.id)
        let idEnd = writer.bytes.count - 1
        write(record, to: &writer)
        writer.raw(#","topic":"#)
        writer.raw(place.quotedTopic)
        writer.raw(tail)
        let payload = writer.bytes
        let id = String(decoding: payload[idStart..<idEnd], as: UTF8.self)
        return .json(
            place.topic, payload, isRetained: !isBacklog,
            isBacklog ? [.recordID(id), Self.schemaProperty, .backlog] : [.recordID(id), Self.schemaProperty])
    }

    private func write(_ record: TrackRecord, to writer: inout JSONWriter) {
        let fix = record.fix
        let seconds = fix.time.secondsSince1970
        writer.raw(#","lat":"#)
        writer.number(fix.coordinate.latitude, decimals: 7)
        writer.raw(#","lon":"#)
        writer.number(fix.coordinate.longitude, decimals: 7)
        writer.member(#","tst":"#, seconds)
        writer.member(#","created_at":"#, seconds)
        writer.member(#","acc":"#, fix.horizontalAccuracy.map { max($0.wholeNumber, 1) } ?? assumedAccuracy)
        if let altitude = fix.altitude {
            writer.member(#","alt":"#, altitude.wholeNumber)
            if let accuracy = fix.verticalAccuracy { writer.member(#","vac":"#, accuracy.wholeNumber) }
        }
        if let speed = fix.speed { writer.member(#","vel":"#, (speed * 3.6).wholeNumber) }
        if let course = fix.course { writer.member(#","cog":"#, course.wholeNumber % 360) }
        if let trigger = record.cause.trigger { writer.raw(trigger) }
        writer.raw(record.isMoving ? #","m":2"# : #","m":1"#)
        if let level = record.host?.batteryLevel { writer.member(#","batt":"#, (level * 100).wholeNumber) }
        if let state = record.host?.batteryState.number { writer.raw(state) }
    }

    /// The last two characters of a device's name, with a zero before a name of one.
    static func trackerID(of device: DeviceID) -> String {
        let end = String(device.rawValue.suffix(2))
        return end.count < 2 ? "0" + end : end
    }

    private static let schemaProperty = MQTTMessage.UserProperty.schema(schema)
}

extension JSONWriter {
    fileprivate mutating func member(_ name: StaticString, _ value: Int64) {
        raw(name)
        fixed(value, decimals: 0)
    }
}

extension RecordCause {
    /// The trigger in OwnTracks' letters, as a member; absent for "automatic". `v`, which would say that the object
    /// departed, means something else on iOS.
    fileprivate var trigger: StaticString? {
        switch self {
        case .first, .distance, .departed, .deviation, .turn, .resumed: nil
        case .elapsed, .interval: #","t":"t""#
        case .still: #","t":"k""#
        case .requested: #","t":"u""#
        }
    }
}

extension HostStatus.BatteryState {
    /// The state in OwnTracks' numbers, as a member; 0 for unknown is left out, as the app for iOS does.
    fileprivate var number: StaticString? {
        switch self {
        case .unknown: nil
        case .unplugged: #","bs":1"#
        case .charging: #","bs":2"#
        case .full: #","bs":3"#
        }
    }
}

package import TrackEngine

/// Writes the location message of OwnTracks: `{"_type":"location",…}`.
///
/// Its units differ from the engine's: whole metres, whole **km/h**, whole degrees, whole seconds since 1970
/// (OwnTracks' JSON schema). All messages of this module are in ASCII.
///
/// | member | from |
/// |---|---|
/// | `_id` | the record's id, the same for a repetition |
/// | `tst`, `created_at` | the time of the fix, both: a message that is built again must not change |
/// | `acc` | horizontal accuracy, at least 1; if unknown, the assumed one. Never missing, never 0 |
/// | `alt`, `vac` | altitude above mean sea level and its accuracy; never the ellipsoidal altitude |
/// | `vel`, `cog` | speed × 3.6 and course, rounded |
/// | `m` | 2 (move) while moving, else 1 (significant) |
/// | `t` | the trigger: a letter of the list below, or absent for automatic |
/// | `batt`, `bs` | battery in per cent; 1 unplugged, 2 charging, 3 full |
/// | `SSID`, `BSSID` | the name of the wireless network and the address of its access point, if known |
/// | `inregions`, `inrids` | the names and ids of the object's places; absent if there are none |
/// | `topic` | the topic of the message: without it Dawarich reads `vel` as metres per second |
///
/// The triggers are `p` heartbeat at rest, `c` place entered or left, `u` requested, `t` time passed, `k` came to
/// rest and `r` answer to a command.
package struct LocationMessage: Sendable {
    private let assumedAccuracy: Int64
    /// `,"tid":"…"}`, the end of each message.
    private let tail: [UInt8]

    /// Creates a writer for the messages of one device.
    ///
    /// - Parameters:
    ///   - trackerID: the two characters on the map.
    ///   - assumedAccuracy: the accuracy for a fix of unknown accuracy, in metres.
    package init(trackerID: String, assumedAccuracy: Int) {
        self.assumedAccuracy = Int64(assumedAccuracy)
        var writer = JSONWriter()
        writer.member(#","tid":"#, trackerID)
        writer.raw("}")
        tail = writer.bytes
    }

    /// The message of a record.
    ///
    /// - Parameter quotedTopic: the topic as a JSON string.
    package func payload(of record: TrackRecord, quotedTopic: [UInt8]) -> [UInt8] {
        var writer = JSONWriter(capacity: 384)
        writer.raw(#"{"_type":"location","_id":"#)
        writer.recordID(record.id)
        write(record.fix, to: &writer)
        if let trigger = record.content.trigger ?? record.cause.trigger { writer.raw(trigger) }
        writer.raw(record.isMoving ? #","m":2"# : #","m":1"#)
        if let level = record.host?.batteryLevel { writer.member(#","batt":"#, (level * 100).wholeNumber) }
        if let state = record.host?.batteryState.number { writer.raw(state) }
        writer.member(#","SSID":"#, record.host?.wifi?.ssid)
        writer.member(#","BSSID":"#, record.host?.wifi?.bssid?.description)
        if let places = record.context?.places, !places.isEmpty {
            writer.raw(#","inregions":"#)
            writer.array(places) { $0.string($1.name) }
            writer.raw(#","inrids":"#)
            writer.array(places) { $0.string($1.id) }
        }
        finish(quotedTopic, &writer)
        return writer.bytes.jsonInASCII
    }

    /// The message that answers the command `reportLocation`.
    package func answer(_ fix: Fix, quotedTopic: [UInt8]) -> [UInt8] {
        var writer = JSONWriter(capacity: 384)
        writer.raw(#"{"_type":"location""#)
        write(fix, to: &writer)
        writer.raw(#","t":"r""#)
        finish(quotedTopic, &writer)
        return writer.bytes.jsonInASCII
    }

    /// The text of the record's id in a payload of ``payload(of:quotedTopic:)``.
    package static func recordID(in payload: [UInt8]) -> String {
        String(decoding: payload[idPlace], as: UTF8.self)
    }

    private static let idPlace = 27..<63

    private func finish(_ quotedTopic: [UInt8], _ writer: inout JSONWriter) {
        writer.raw(#","topic":"#)
        writer.raw(quotedTopic)
        writer.raw(tail)
    }

    private func write(_ fix: Fix, to writer: inout JSONWriter) {
        let seconds = fix.time.secondsSince1970
        writer.member(#","lat":"#, fix.coordinate.latitude, decimals: 7)
        writer.member(#","lon":"#, fix.coordinate.longitude, decimals: 7)
        writer.member(#","tst":"#, seconds)
        writer.member(#","created_at":"#, seconds)
        writer.member(#","acc":"#, fix.horizontalAccuracy.map { max($0.wholeNumber, 1) } ?? assumedAccuracy)
        if let altitude = fix.altitude {
            writer.member(#","alt":"#, altitude.wholeNumber)
            if let accuracy = fix.verticalAccuracy { writer.member(#","vac":"#, accuracy.wholeNumber) }
        }
        if let speed = fix.speed { writer.member(#","vel":"#, (speed * 3.6).wholeNumber) }
        if let course = fix.course { writer.member(#","cog":"#, course.wholeNumber % 360) }
    }
}

extension RecordContent {
    /// The trigger of a record that is not only a position: a ping, or an event of a circular region.
    fileprivate var trigger: StaticString? {
        switch self {
        case .heartbeat: #","t":"p""#
        case .transition: #","t":"c""#
        case .location, .visit, .trip, .action, .power: nil
        }
    }
}

extension RecordCause {
    /// The trigger in OwnTracks' letters, as a member; absent for "automatic". `v` could mean a departure, but has
    /// another meaning on iOS.
    fileprivate var trigger: StaticString? {
        switch self {
        case .first, .distance, .departed, .deviation, .turn, .resumed, .improved, .detected: nil
        case .elapsed, .interval: #","t":"t""#
        case .still: #","t":"k""#
        case .requested: #","t":"u""#
        }
    }
}

extension HostStatus.BatteryState {
    /// The state in OwnTracks' numbers, as a member; 0 for unknown is omitted, as in the app for iOS.
    fileprivate var number: StaticString? {
        switch self {
        case .unknown: nil
        case .unplugged: #","bs":1"#
        case .charging: #","bs":2"#
        case .full: #","bs":3"#
        }
    }

    /// Creates a state from OwnTracks' numbers; `nil` for a number without a known state.
    package init?(ownTracks number: Double) {
        switch number {
        case 1: self = .unplugged
        case 2: self = .charging
        case 3: self = .full
        case _: return nil
        }
    }
}

import TrackEngine

/// The bytes of an event in its row: a version, its id, the number of its ``RecordKind`` and the values of the kind,
/// in as few bytes as they need (``CompactWriter``).
///
/// Times that bound it are nanoseconds since 1970, other times and durations milliseconds, places 1e-7 degrees,
/// lengths and speeds hundredths.
enum EventCodec {
    private static let version: UInt64 = 1

    /// Encodes an event; `nil` when one of its places is not valid or one of its numbers is not finite.
    static func encode(_ event: HistoryEvent) -> [UInt8]? {
        var writer = CompactWriter()
        writer.write(version)
        withUnsafeBytes(of: event.id.rawValue.bigEndian) { writer.append($0) }
        writer.write(UInt64(event.recordContent.kind.rawValue))
        let isWritten =
            switch event.content {
            case .visit(let visit): write(visit, to: &writer)
            case .trip(let trip): write(trip, to: &writer)
            case .transition(let transition, at: let time): write(transition, at: time, to: &writer)
            }
        return isWritten ? writer.bytes : nil
    }

    /// Decodes an event; `nil` for invalid bytes.
    static func decode(_ bytes: [UInt8]) -> HistoryEvent? {
        var reader = CompactReader(bytes)
        guard reader.read() == version, let id = reader.read(count: 16).flatMap({ RecordID(bytes: $0) }),
            let kind = reader.read().flatMap(UInt8.init(exactly:)).flatMap(RecordKind.init(rawValue:)),
            let content = content(kind, EventID(rawValue: id.rawValue), &reader), reader.isAtEnd
        else { return nil }
        return HistoryEvent(id: EventID(rawValue: id.rawValue), content: content)
    }

    private static func content(
        _ kind: RecordKind, _ id: EventID, _ reader: inout CompactReader
    ) -> HistoryEvent.Content? {
        switch kind {
        case .visit: readVisit(id, &reader).map { .visit($0) }
        case .trip: readTrip(id, &reader).map { .trip($0) }
        case .transition: readTransition(&reader)
        case .location, .action, .heartbeat, .power: nil
        }
    }
}

// MARK: - Visits

extension EventCodec {
    private static func write(_ visit: Visit, to writer: inout CompactWriter) -> Bool {
        guard writer.write(visit.centre), writer.write(length: visit.radius) else { return false }
        writer.write(time: visit.arrival)
        writer.write(optional: visit.departure?.nanosecondsSince1970)
        writer.write(visit.place)
        // Absent in rows of releases that did not know it, and of most visits.
        if let endedBy = visit.endedBy { writer.write(UInt64(endedBy.rawValue)) }
        return true
    }

    private static func readVisit(_ id: EventID, _ reader: inout CompactReader) -> Visit? {
        guard let centre = reader.readPlace(), let radius = reader.readLength(), let arrival = reader.readTime(),
            let departure = reader.readOptional(), let place = reader.readName()
        else { return nil }
        let endedBy = reader.isAtEnd ? nil : reader.readWord(Trip.Reason.init(rawValue:))
        return Visit(
            id: id, centre: centre, radius: radius, arrival: arrival,
            departure: departure.value.map(Timestamp.init(nanosecondsSince1970:)), place: place.value,
            endedBy: endedBy)
    }
}

// MARK: - Trips

extension EventCodec {
    private static func write(_ trip: Trip, to writer: inout CompactWriter) -> Bool {
        writer.write(UInt64(trip.mode.rawValue))
        guard writer.write(trip.start) else { return false }
        writer.write(trip.end == nil ? 0 : 1)
        if let end = trip.end, !writer.write(end) { return false }
        guard writer.write(length: trip.distance), let top = CompactWriter.hundredths(of: trip.topSpeed),
            let climb = CompactWriter.hundredths(of: trip.climb)
        else { return false }
        writer.write(signed: trip.movingTime.milliseconds)
        writer.write(optional: top.value)
        writer.write(optional: climb.value)
        writer.write(UInt64(trip.startedBy.rawValue))
        writer.write(UInt64(trip.endedBy?.rawValue ?? 0))
        return true
    }

    private static func readTrip(_ id: EventID, _ reader: inout CompactReader) -> Trip? {
        guard let mode = reader.readWord(TripMode.init(rawValue:)), let start = reader.readTerminus(),
            let hasEnd = reader.read(), hasEnd < 2
        else { return nil }
        let end = hasEnd == 1 ? reader.readTerminus() : nil
        guard (end != nil) == (hasEnd == 1), let distance = reader.readLength(), let moving = reader.readSigned(),
            let top = reader.readOptional(), let climb = reader.readOptional(),
            let startedBy = reader.readWord(Trip.Reason.init(rawValue:)), let endedBy = reader.read()
        else { return nil }
        return Trip(
            id: id, mode: mode, start: start, end: end, distance: distance, movingTime: .milliseconds(moving),
            topSpeed: top.value.map { Double($0) / 100 }, climb: climb.value.map { Double($0) / 100 },
            startedBy: startedBy, endedBy: UInt8(exactly: endedBy).flatMap(Trip.Reason.init(rawValue:)))
    }
}

// MARK: - Transitions

extension EventCodec {
    private static func write(
        _ transition: Transition, at time: Timestamp, to writer: inout CompactWriter
    ) -> Bool {
        writer.write(UInt64(transition.event.rawValue))
        writer.write(time: time)
        writer.write(transition.place)
        guard writer.write(transition.centre), writer.write(length: transition.radius) else { return false }
        writer.write(optional: transition.created?.millisecondsSince1970)
        return true
    }

    private static func readTransition(_ reader: inout CompactReader) -> HistoryEvent.Content? {
        guard let event = reader.readWord(Transition.Event.init(rawValue:)), let time = reader.readTime(),
            let place = reader.readName()?.value, let centre = reader.readPlace(), let radius = reader.readLength(),
            let created = reader.readOptional()
        else { return nil }
        return .transition(
            Transition(
                event: event, place: place, centre: centre, radius: radius,
                created: created.value.map(Timestamp.init(millisecondsSince1970:))), at: time)
    }
}

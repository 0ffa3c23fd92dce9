import TrackEngine

/// The contents of an event's record as bytes of its payload: the kind, then the fields of that kind.
///
/// An optional value follows a byte that indicates whether it is present.
enum ContentCodec {
    /// The maximum number of bytes of a content.
    static func room(for content: RecordContent) -> Int {
        switch content {
        case .location, .heartbeat, .power: 1
        case .action: 2
        case .visit(let visit): 64 + room(for: visit.place)
        case .trip(let trip): 128 + room(for: trip.start.place) + room(for: trip.end?.place)
        case .transition(let transition): 48 + room(for: transition.place)
        }
    }

    static func room(for place: PlaceName?) -> Int {
        place.map { 4 + min($0.id.utf8.count, Int(UInt16.max)) + min($0.name.utf8.count, Int(UInt16.max)) } ?? 0
    }

    // MARK: Writing

    static func write(_ content: RecordContent, to writer: inout ByteWriter) {
        writer.write(content.kind.rawValue)
        switch content {
        case .location, .heartbeat, .power: break
        case .action(let action): writer.write(action.rawValue)
        case .visit(let visit): write(visit, to: &writer)
        case .trip(let trip): write(trip, to: &writer)
        case .transition(let transition): write(transition, to: &writer)
        }
    }

    private static func write(_ visit: Visit, to writer: inout ByteWriter) {
        writer.write(visit.id.rawValue)
        write(visit.centre, to: &writer)
        writer.write(visit.radius)
        write(visit.arrival, to: &writer)
        write(visit, departureTo: &writer)
        write(visit.place, to: &writer) { write($0, to: &$1) }
    }

    /// Writes the departure: 0 without one, or 1 and its time, or 2, its time and what ended the visit. Releases that
    /// do not know what ended a visit reject the 2.
    private static func write(_ visit: Visit, departureTo writer: inout ByteWriter) {
        guard let departure = visit.departure else { return writer.write(UInt8(0)) }
        writer.write(UInt8(visit.endedBy == nil ? 1 : 2))
        write(departure, to: &writer)
        if let endedBy = visit.endedBy { writer.write(endedBy.rawValue) }
    }

    private static func write(_ trip: Trip, to writer: inout ByteWriter) {
        writer.write(trip.id.rawValue)
        writer.write(trip.mode.rawValue)
        write(trip.start, to: &writer)
        write(trip.end, to: &writer) { write($0, to: &$1) }
        writer.write(trip.distance)
        writer.write(Timestamp(nanosecondsSince1970: 0).advanced(by: trip.movingTime).nanosecondsSince1970)
        write(trip.topSpeed, to: &writer) { $1.write($0) }
        write(trip.climb, to: &writer) { $1.write($0) }
        writer.write(trip.startedBy.rawValue)
        write(trip.endedBy?.rawValue, to: &writer) { $1.write($0) }
    }

    private static func write(_ transition: Transition, to writer: inout ByteWriter) {
        writer.write(transition.event.rawValue)
        write(transition.place, to: &writer)
        write(transition.centre, to: &writer)
        writer.write(transition.radius)
        write(transition.created, to: &writer) { write($0, to: &$1) }
    }

    static func write(_ terminus: Trip.End, to writer: inout ByteWriter) {
        write(terminus.time, to: &writer)
        write(terminus.coordinate, to: &writer)
        write(terminus.place, to: &writer) { write($0, to: &$1) }
    }

    static func write(_ place: PlaceName, to writer: inout ByteWriter) {
        writer.write(place.id)
        writer.write(place.name)
    }

    private static func write(_ coordinate: Coordinate, to writer: inout ByteWriter) {
        writer.write(coordinate.latitude)
        writer.write(coordinate.longitude)
    }

    private static func write(_ time: Timestamp, to writer: inout ByteWriter) {
        writer.write(time.nanosecondsSince1970)
    }

    static func write<Value>(
        _ value: Value?, to writer: inout ByteWriter, _ body: (Value, inout ByteWriter) -> Void
    ) {
        writer.write(UInt8(value == nil ? 0 : 1))
        if let value { body(value, &writer) }
    }

    // MARK: Reading

    static func read(_ reader: inout ByteReader) throws(CodecError) -> RecordContent {
        switch try RecordKind(known: try reader.read()) {
        case .location: .location
        case .heartbeat: .heartbeat
        case .power: .power
        case .action: .action(try TrackerAction(known: try reader.read()))
        case .visit: .visit(try visit(&reader))
        case .trip: .trip(try trip(&reader))
        case .transition: .transition(try transition(&reader))
        }
    }

    private static func visit(_ reader: inout ByteReader) throws(CodecError) -> Visit {
        let id = EventID(rawValue: try reader.read())
        let centre = try coordinate(&reader)
        let radius = try reader.readDouble()
        let arrival = try time(&reader)
        let (departure, endedBy) = try departure(&reader)
        return Visit(
            id: id, centre: centre, radius: radius, arrival: arrival, departure: departure,
            place: try optional(&reader, place), endedBy: endedBy)
    }

    private static func departure(_ reader: inout ByteReader) throws(CodecError) -> (Timestamp?, Trip.Reason?) {
        switch try reader.read(UInt8.self) {
        case 0: return (nil, nil)
        case 1: return (try time(&reader), nil)
        case 2:
            let departure = try time(&reader)
            return (departure, try trigger(&reader))
        case let byte: throw .unknownValue(byte)
        }
    }

    private static func trip(_ reader: inout ByteReader) throws(CodecError) -> Trip {
        let id = EventID(rawValue: try reader.read())
        let mode = try TripMode(known: try reader.read())
        let start = try terminus(&reader)
        let end = try optional(&reader, terminus)
        let distance = try reader.readDouble()
        let movingTime = Duration.nanoseconds(try reader.read(Int64.self))
        let topSpeed = try optional(&reader, number)
        let climb = try optional(&reader, number)
        let startedBy = try Trip.Reason(known: try reader.read())
        let endedBy = try optional(&reader, trigger)
        return Trip(
            id: id, mode: mode, start: start, end: end, distance: distance, movingTime: movingTime,
            topSpeed: topSpeed, climb: climb, startedBy: startedBy, endedBy: endedBy)
    }

    private static func transition(_ reader: inout ByteReader) throws(CodecError) -> Transition {
        let event = try Transition.Event(known: try reader.read())
        let place = try place(&reader)
        let centre = try coordinate(&reader)
        let radius = try reader.readDouble()
        return Transition(
            event: event, place: place, centre: centre, radius: radius, created: try optional(&reader, time))
    }

    static func terminus(_ reader: inout ByteReader) throws(CodecError) -> Trip.End {
        let moment = try time(&reader)
        let coordinate = try coordinate(&reader)
        return Trip.End(time: moment, coordinate: coordinate, place: try optional(&reader, place))
    }

    private static func trigger(_ reader: inout ByteReader) throws(CodecError) -> Trip.Reason {
        try Trip.Reason(known: try reader.read())
    }

    private static func number(_ reader: inout ByteReader) throws(CodecError) -> Double { try reader.readDouble() }

    static func place(_ reader: inout ByteReader) throws(CodecError) -> PlaceName {
        let id = try reader.readText()
        return PlaceName(id: id, name: try reader.readText())
    }

    private static func coordinate(_ reader: inout ByteReader) throws(CodecError) -> Coordinate {
        let latitude = try reader.readDouble()
        return Coordinate(latitude: latitude, longitude: try reader.readDouble())
    }

    private static func time(_ reader: inout ByteReader) throws(CodecError) -> Timestamp {
        Timestamp(nanosecondsSince1970: try reader.read())
    }

    static func optional<Value>(
        _ reader: inout ByteReader, _ body: (inout ByteReader) throws(CodecError) -> Value
    ) throws(CodecError) -> Value? {
        switch try reader.read(UInt8.self) {
        case 0: nil
        case 1: try body(&reader)
        case let byte: throw .unknownValue(byte)
        }
    }
}

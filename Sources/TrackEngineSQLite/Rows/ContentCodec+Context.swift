import TrackEngine

/// The context of a record: the number of places, each place's id and name, then the trip under way.
extension ContentCodec {
    /// The maximum number of bytes of a context.
    static func room(for context: RecordContext) -> Int {
        let places = context.places.reduce(0) { $0 + room(for: $1) }
        return 2 + places + (context.trip.map { 64 + room(for: $0.start.place) } ?? 0)
    }

    static func write(_ context: RecordContext, to writer: inout ByteWriter) {
        writer.write(UInt8(context.places.count))  // a context has at most 16
        for place in context.places { write(place, to: &writer) }
        write(context.trip, to: &writer) { trip, writer in
            writer.write(trip.id.rawValue)
            writer.write(trip.mode.rawValue)
            write(trip.start, to: &writer)
            writer.write(trip.startedBy.rawValue)
            writer.write(trip.odometerAtStart)
        }
    }

    static func readContext(_ reader: inout ByteReader) throws(CodecError) -> RecordContext? {
        var places: [PlaceName] = []
        for _ in 0..<(try reader.read(UInt8.self)) { places.append(try place(&reader)) }
        return RecordContext(places: places, trip: try optional(&reader, ongoingTrip))
    }

    private static func ongoingTrip(_ reader: inout ByteReader) throws(CodecError) -> CurrentTrip {
        let id = EventID(rawValue: try reader.read())
        let mode = try TripMode(known: try reader.read())
        let start = try terminus(&reader)
        let startedBy = try Trip.Reason(known: try reader.read())
        return CurrentTrip(
            id: id, mode: mode, start: start, startedBy: startedBy, odometerAtStart: try reader.readDouble())
    }
}

import TrackEngine

/// A place as a GeoJSON feature (RFC 7946).
enum GeoJSONPlace {
    private static let geometries = "Point, LineString, Polygon or MultiPolygon"

    /// Reads a feature's properties and returns its shape. Returns `nil` for an unusable shape and notes the reason
    /// in the draft.
    static func read(_ feature: JSONValue, into draft: inout PlaceDraft) -> Area.Shape? {
        if let id = feature["id"], let value = value(id) { draft.set("id", value) }
        for member in feature["properties"]?.members ?? [] {
            // A null is treated like a missing property.
            if let value = value(member.value) { draft.set(member.name, value) }
        }
        guard let geometry = feature["geometry"], let type = geometry["type"]?.string else {
            draft.problem("geometry", "none", geometries)
            return nil
        }
        guard let shape = shape(type, geometry["coordinates"]?.array ?? [], &draft) else {
            draft.problem("geometry", "no coordinates that can be read", "\(geometries) with [longitude, latitude]")
            return nil
        }
        return shape
    }

    private static func value(_ value: JSONValue) -> PlaceDraft.Value? {
        switch value {
        case .number(let number): .number(number)
        case .string(let text): .text(text)
        case .array(let elements): .texts(elements.compactMap(\.string))
        case .null, .boolean, .object: nil
        }
    }

    private static func shape(
        _ type: String, _ coordinates: [JSONValue], _ draft: inout PlaceDraft
    ) -> Area.Shape? {
        switch type {
        case "Point":
            if draft.radius == nil { draft.problem("radius", "none", "a number of metres") }
            return position(.array(coordinates)).map { .circle(centre: $0, radius: draft.radius ?? 1) }
        case "LineString":
            if draft.width == nil { draft.problem("width", "none", "a number of metres") }
            return positions(coordinates).map { .corridor(along: $0, width: draft.width ?? 1) }
        case "Polygon": return polygon(coordinates).map { .polygons([$0]) }
        case "MultiPolygon":
            let polygons = coordinates.compactMap { polygon($0.array ?? []) }
            return polygons.count == coordinates.count ? .polygons(polygons) : nil
        default: return nil
        }
    }

    private static func polygon(_ rings: [JSONValue]) -> Area.Polygon? {
        let read = rings.compactMap { positions($0.array ?? []) }
        guard read.count == rings.count, let outer = read.first else { return nil }
        return Area.Polygon(outer: outer, holes: Array(read.dropFirst()))
    }

    private static func positions(_ values: [JSONValue]) -> [Coordinate]? {
        let read = values.compactMap(position)
        return read.count == values.count ? read : nil
    }

    /// `[longitude, latitude]`, optionally followed by a height.
    private static func position(_ value: JSONValue) -> Coordinate? {
        guard let numbers = value.array, numbers.count >= 2, let longitude = numbers[0].number,
            let latitude = numbers[1].number
        else { return nil }
        return Coordinate(longitude: longitude, latitude: latitude)
    }
}

extension PlaceFile {
    /// Places as a GeoJSON `FeatureCollection`, one feature per line; reading it gives the same places to 1 mm and
    /// 1 ms.
    public static func geoJSON(_ places: [Place]) -> [UInt8] { geoJSON(places) { _ in nil } }

    /// The same, with the property `kept` for places that have one.
    package static func geoJSON(_ places: [Place], kept: (Place) -> Bool?) -> [UInt8] {
        var writer = JSONWriter()
        writer.raw(#"{"type":"FeatureCollection","features":["#)
        for (index, place) in places.enumerated() {
            writer.raw(index == 0 ? "\n" : ",\n")
            write(place, kept: kept(place), to: &writer)
        }
        writer.raw("\n]}\n")
        return writer.bytes
    }

    private static func write(_ place: Place, kept: Bool?, to writer: inout JSONWriter) {
        writer.member(#"{"type":"Feature","id":"#, place.id)
        writer.raw(#","geometry":{"type":"#)
        var measure: (name: String, metres: Double)?
        switch place.area.shape {
        case .circle(let centre, let radius):
            writer.raw(#""Point","coordinates":"#)
            write(centre, to: &writer)
            measure = ("radius", radius)
        case .corridor(let line, let width):
            writer.raw(#""LineString","coordinates":"#)
            writer.array(line) { write($1, to: &$0) }
            measure = ("width", width)
        case .polygons(let polygons) where polygons.count == 1:
            writer.raw(#""Polygon","coordinates":"#)
            write(polygons[0], to: &writer)
        case .polygons(let polygons):
            writer.raw(#""MultiPolygon","coordinates":"#)
            writer.array(polygons) { write($1, to: &$0) }
        }
        writer.member(#"},"properties":{"name":"#, place.name)
        if let measure { member(measure.name, measure.metres, to: &writer) }
        if let dwell = place.dwell { member("dwell", dwell.inSeconds, to: &writer) }
        if place.hysteresis != Place.defaultHysteresis { member("hysteresis", place.hysteresis, to: &writer) }
        if !place.tags.isEmpty {
            writer.raw(#","tags":"#)
            writer.array(place.tags) { $0.string($1) }
        }
        writer.member(#","created":"#, place.created)
        writer.member(#","kept":"#, kept)
        writer.raw("}}")
    }

    private static func member(_ name: String, _ value: Double, to writer: inout JSONWriter) {
        writer.raw(",")
        writer.string(name)
        writer.raw(":")
        writer.number(value, decimals: 3)
    }

    private static func write(_ polygon: Area.Polygon, to writer: inout JSONWriter) {
        // RFC 7946 requires a ring to end with its first position.
        writer.array([polygon.outer] + polygon.holes) { writer, ring in
            writer.array(ring + ring.prefix(1)) { write($1, to: &$0) }
        }
    }

    private static func write(_ position: Coordinate, to writer: inout JSONWriter) {
        writer.raw("[")
        writer.number(position.longitude, decimals: 9)
        writer.raw(",")
        writer.number(position.latitude, decimals: 9)
        writer.raw("]")
    }
}

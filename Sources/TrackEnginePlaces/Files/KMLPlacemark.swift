import TrackEngine
import TrackEngineFiles

/// The current `Placemark` of a KML file.
struct KMLPlacemark {
    /// The maximum length of one `coordinates`, in bytes: 10 000 positions with 17 digits each take two thirds of
    /// it.
    static let maximumText = 1 << 20

    /// The geometry that contains the reader's position.
    private enum Geometry {
        case point, line, ring
    }

    /// The line in which the placemark begins, and its number in the file.
    let line: Int
    let number: Int
    private var draft = PlaceDraft()
    private var geometry: Geometry?
    private var isHole = false
    /// The name of the property before its value.
    private var property: String?
    private var shape: Area.Shape?
    private var polygons: [Area.Polygon] = []

    init(line: Int, number: Int, attributes: [XMLReader.Attribute]) {
        self.line = line
        self.number = number
        for attribute in attributes where attribute.name.span.equals("id") {
            draft.id = String(decoding: attribute.value, as: UTF8.self)
        }
    }

    /// Processes a start tag in the placemark.
    mutating func start(_ tokenizer: borrowing XMLReader) {
        let name = tokenizer.name.span
        if name.equals("Point") {
            geometry = .point
        } else if name.equals("LineString") {
            geometry = .line
        } else if name.equals("LinearRing") {
            geometry = .ring
        } else if name.equals("innerBoundaryIs") {
            isHole = true
        } else if name.equals("outerBoundaryIs") {
            isHole = false
        } else if name.equals("Data") || name.equals("SimpleData") {
            property = tokenizer.attributes.first { $0.name.span.equals("name") }.map {
                String(decoding: $0.value, as: UTF8.self)
            }
        }
    }

    /// Processes an end tag in the placemark and the text before it.
    mutating func end(_ name: Span<UInt8>, text: [UInt8]) {
        if name.equals("name") {
            if geometry == nil { draft.name = Self.trimmed(text) }
        } else if name.equals("coordinates") {
            takeCoordinates(text)
        } else if name.equals("value") || name.equals("SimpleData") {
            if let property { draft.set(property, .text(Self.trimmed(text))) }
            property = nil
        } else if name.equals("Data") {
            property = nil
        } else if name.equals("Point") || name.equals("LineString") || name.equals("LinearRing") {
            geometry = nil
        }
    }

    private static func trimmed(_ text: [UInt8]) -> String { text.span.text(in: text.span.trimmedRange) }

    private mutating func takeCoordinates(_ text: [UInt8]) {
        guard let geometry else { return }
        guard text.count < Self.maximumText else {
            return draft.problem("coordinates", "\(text.count) bytes or more", "fewer")
        }
        guard let positions = Self.positions(text.span), let first = positions.first else {
            return draft.problem("coordinates", "no positions", "longitude,latitude with blanks between positions")
        }
        switch geometry {
        case .point: take(.circle(centre: first, radius: 1))
        case .line: take(.corridor(along: positions, width: 1))
        case .ring:
            if isHole, !polygons.isEmpty {
                polygons[polygons.count - 1].holes.append(positions)
            } else {
                polygons.append(Area.Polygon(outer: positions))
            }
        }
    }

    private mutating func take(_ new: Area.Shape) {
        if shape != nil { draft.problem("MultiGeometry", "several points or lines", "one, or polygons") }
        shape = new
    }

    /// Parses `longitude,latitude[,height]`, with white space between positions; `nil` for any other text.
    private static func positions(_ text: Span<UInt8>) -> [Coordinate]? {
        var positions: [Coordinate] = []
        var offset = 0
        while true {
            while offset < text.count, text[offset].isWhiteSpace { offset += 1 }
            guard offset < text.count else { return positions }
            var numbers: (Double, Double) = (0, 0)
            var count = 0
            repeat {
                guard count < 3, let number = Double(decimalAt: &offset, in: text) else { return nil }
                if count == 0 { numbers.0 = number } else if count == 1 { numbers.1 = number }
                count += 1
                guard offset < text.count, text[offset] == UInt8(ascii: ",") else { break }
                offset += 1
            } while true
            guard count >= 2, offset == text.count || text[offset].isWhiteSpace,
                let position = Coordinate(longitude: numbers.0, latitude: numbers.1)
            else { return nil }
            positions.append(position)
        }
    }

    /// Returns the draft and the shape. A placemark without a geometry, as folders of places may have, is not noted
    /// as a problem here.
    mutating func finish() -> (draft: PlaceDraft, shape: Area.Shape?) {
        switch shape {
        case .circle(let centre, _)?:
            if draft.radius == nil { draft.problem("radius", "none", "a number of metres in the ExtendedData") }
            shape = .circle(centre: centre, radius: draft.radius ?? 1)
        case .corridor(let line, _)?:
            if draft.width == nil { draft.problem("width", "none", "a number of metres in the ExtendedData") }
            shape = .corridor(along: line, width: draft.width ?? 1)
        case .polygons?, nil: break
        }
        if !polygons.isEmpty {
            if shape != nil { draft.problem("MultiGeometry", "polygons and others", "one point or line, or polygons") }
            shape = .polygons(polygons)
        }
        return (draft, shape)
    }
}

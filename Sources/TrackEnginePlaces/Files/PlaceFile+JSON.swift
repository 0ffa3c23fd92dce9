import TrackEngine
import TrackEngineFiles

extension PlaceFile {
    /// The location of the elements in a document.
    private enum Location {
        /// The document is a single element.
        case one
        /// The elements are in the array at this offset, and have this name in messages.
        case array(Int, String)
    }

    mutating func readJSON(_ bytes: [UInt8]) {
        var lines = LineSearch(bytes)
        var cursor = JSONReader()
        switch Self.elements(bytes.span, &cursor) {
        case .one: read(bytes, "", line: lines.line(at: 0))
        case .array(let offset, let name): readArray(bytes, at: offset, name, &lines)
        }
        if !cursor.isSound { report(line: lines.line(at: cursor.offset), "", "\(cursor.expectation)") }
    }

    /// Finds the elements and advances to the end of the document; afterwards the cursor has the error of an invalid
    /// document.
    private static func elements(_ bytes: Span<UInt8>, _ cursor: inout JSONReader) -> Location {
        if cursor.peek(bytes) == UInt8(ascii: "[") {
            let start = cursor.offset
            cursor.skip(bytes)
            _ = cursor.isAtEnd(bytes)
            return .array(start, "element")
        }
        let elements = elements(ofObject: bytes, &cursor, levels: 2)
        _ = cursor.isAtEnd(bytes)
        return elements
    }

    /// The array `features` or `waypoints` of an object, or of an object `waypoints` in it.
    private static func elements(ofObject bytes: Span<UInt8>, _ cursor: inout JSONReader, levels: Int) -> Location {
        var elements = Location.one
        cursor.beginObject(bytes)
        while let name = cursor.nextName(bytes) {
            let isFeatures = bytes.extracting(name).equals("features")
            let isWaypoints = bytes.extracting(name).equals("waypoints")
            switch cursor.peek(bytes) {
            case UInt8(ascii: "[") where isFeatures || isWaypoints:
                elements = .array(cursor.offset, isFeatures ? "feature" : "waypoint")
                cursor.skip(bytes)
            case UInt8(ascii: "{") where isWaypoints && levels > 0:
                elements = Self.elements(ofObject: bytes, &cursor, levels: levels - 1)
            case .some, nil: cursor.skip(bytes)
            }
        }
        return elements
    }

    private mutating func readArray(_ bytes: [UInt8], at offset: Int, _ name: String, _ lines: inout LineSearch) {
        var cursor = JSONReader(at: offset)
        var number = 0
        cursor.beginArray(bytes.span)
        while cursor.nextElement(bytes.span), cursor.peek(bytes.span) != nil {
            let start = cursor.offset
            cursor.skip(bytes.span)
            guard cursor.isSound else { return }
            number += 1
            let line = lines.line(at: start)
            guard cursor.offset - start <= Self.maximumElement else {
                report(line: line, "\(name) \(number)", "expected at most \(Self.maximumElement) bytes")
                continue
            }
            read(Array(bytes[start..<cursor.offset]), "\(name) \(number)", line: line)
        }
    }

    /// Reads a feature or a waypoint.
    private mutating func read(_ bytes: [UInt8], _ element: String, line: Int) {
        guard bytes.count <= Self.maximumElement else {
            return report(line: line, element, "expected at most \(Self.maximumElement) bytes")
        }
        // Invalid JSON has been found, or will be, by the pass over the whole document.
        guard let value = JSONValue(ifReadable: bytes) else { return }
        var draft = PlaceDraft()
        if value["_type"]?.string == "waypoint" {
            let shape = OwnTracksWaypoint.read(value, into: &draft)
            add(draft, shape, line: line, element)
        } else if value["type"]?.string == "Feature" {
            let shape = GeoJSONPlace.read(value, into: &draft)
            add(draft, shape, line: line, element)
        } else {
            report(line: line, element, "expected a GeoJSON feature or an OwnTracks waypoint")
        }
    }
}

/// Finds the line of an offset, for offsets that mostly grow.
private struct LineSearch {
    private let bytes: [UInt8]
    private var counter = LineCounter()
    private var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func line(at target: Int) -> Int {
        if target < offset { (counter, offset) = (LineCounter(), 0) }
        while offset < min(target, bytes.count) {
            counter.pass(bytes[offset])
            offset += 1
        }
        return counter.number
    }
}

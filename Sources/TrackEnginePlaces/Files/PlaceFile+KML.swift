import TrackEngine
import TrackEngineFiles

extension PlaceFile {
    /// Reads the placemarks of a KML file.
    mutating func readKML(_ bytes: [UInt8]) {
        var reader = KMLPlaceReader()
        for byte in bytes { if !reader.take(byte, into: &self) { return } }
        reader.finish(into: &self)
    }
}

/// Processes the tags of a KML file.
private struct KMLPlaceReader {
    private var tokenizer = XMLReader(maximumText: KMLPlacemark.maximumText)
    private var lines = LineCounter()
    private var placemark: KMLPlacemark?
    private var count = 0
    private var hasRoot = false
    private var hasRootEnd = false

    /// Processes a byte.
    ///
    /// - Returns: Whether the rest can be read.
    mutating func take(_ byte: UInt8, into file: inout PlaceFile) -> Bool {
        defer { lines.pass(byte) }
        switch tokenizer.push(byte) {
        case nil: return true
        case .start: start()
        case .empty:
            start()
            end(text: [], into: &file)
        case .end: end(text: tokenizer.text, into: &file)
        case .foreignEncoding(let name):
            file.report(line: lines.number, "", "encoding \(name): expected UTF-8 or ISO-8859-1")
            return false
        case .defect(let expectation):
            // A part of the placemark may be lost, such as some of its vertices.
            file.report(line: lines.number, element, "\(expectation)")
            placemark = nil
        }
        return true
    }

    private var element: String { placemark.map { "Placemark \($0.number)" } ?? "" }

    private mutating func start() {
        if tokenizer.name.span.equals("kml") {
            hasRoot = true
        } else if tokenizer.name.span.equals("Placemark") {
            count += 1
            placemark = KMLPlacemark(line: lines.number, number: count, attributes: tokenizer.attributes)
        } else {
            placemark?.start(tokenizer)
        }
    }

    private mutating func end(text: [UInt8], into file: inout PlaceFile) {
        if tokenizer.name.span.equals("kml") {
            hasRootEnd = true
        } else if tokenizer.name.span.equals("Placemark") {
            guard var ended = placemark else { return }
            let (draft, shape) = ended.finish()
            file.add(draft, shape, line: ended.line, element)
            placemark = nil
        } else {
            let name = tokenizer.name
            placemark?.end(name.span, text: text)
        }
    }

    /// Reports missing elements at the end of the file.
    func finish(into file: inout PlaceFile) {
        if !hasRoot {
            file.report(line: lines.number, "", "expected a kml element")
        } else if !hasRootEnd {
            file.report(line: lines.number, element, "expected </kml>: the file is cut")
        }
    }
}

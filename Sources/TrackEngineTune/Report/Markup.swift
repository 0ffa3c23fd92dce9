internal import TrackEngine
internal import TrackEngineFiles

/// Writes HTML that is also XML: every element is closed, every text and attribute escaped.
struct Markup {
    /// The bytes written so far.
    private(set) var bytes: [UInt8] = []

    /// Attributes in the order in which they are written.
    typealias Attributes = KeyValuePairs<StaticString, String>

    /// Appends a piece of markup without escaping.
    mutating func raw(_ text: StaticString) { bytes.append(text) }

    mutating func text(_ text: String) { bytes.appendXML(text) }

    /// Appends an element with content. Not for HTML's void elements, such as `meta`.
    mutating func element(
        _ name: StaticString, _ attributes: Attributes = [:], _ content: (inout Markup) -> Void
    ) {
        start(name, attributes)
        bytes.append(">")
        content(&self)
        bytes.append("</")
        bytes.append(name)
        bytes.append(">")
    }

    /// Appends an element that contains only text.
    mutating func element(_ name: StaticString, _ attributes: Attributes = [:], text: String) {
        element(name, attributes) { $0.text(text) }
    }

    /// Appends an element without content: of SVG, or one of HTML's void elements.
    mutating func empty(_ name: StaticString, _ attributes: Attributes = [:]) {
        start(name, attributes)
        bytes.append("/>")
    }

    private mutating func start(_ name: StaticString, _ attributes: Attributes) {
        bytes.append("<")
        bytes.append(name)
        for (key, value) in attributes {
            bytes.append(" ")
            bytes.append(key)
            bytes.append("=\"")
            bytes.appendXML(value)
            bytes.append("\"")
        }
    }

    /// Appends a picture with a caption and a description for screen readers.
    ///
    /// - Parameters:
    ///   - name: a short name of the picture.
    ///   - description: the contents of the picture, for a screen reader.
    mutating func figure(
        _ name: String, _ description: String, size: SVGSize = .panel, _ drawing: (inout Markup) -> Void
    ) {
        element("figure") { page in
            let box = "0 0 \(size.width.svg) \(size.height.svg)"
            page.element("svg", ["viewBox": box, "role": "img", "aria-label": "\(name). \(description)"]) { svg in
                drawing(&svg)
            }
            page.element("figcaption", text: name)
        }
    }

    /// Appends text in a drawing.
    mutating func label(_ text: String, at point: SVGPoint, anchor: TextAnchor = .start, of kind: String = "l") {
        element(
            "text", ["x": point.x.svg, "y": point.y.svg, "text-anchor": anchor.rawValue, "class": kind], text: text)
    }
}

/// The part of a text that is at its point.
enum TextAnchor: String {
    case start, middle, end
}

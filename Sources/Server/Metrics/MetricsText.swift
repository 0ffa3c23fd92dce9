import TrackEngine

/// Facts in the text format of OpenMetrics 1.0, which Prometheus reads.
struct MetricsText: Sendable {
    /// The media type of the format.
    static let mediaType = "application/openmetrics-text; version=1.0.0; charset=utf-8"

    /// What sort of number a family holds.
    enum Kind: String, Sendable {
        /// A number that goes up and down.
        case gauge
        /// A number that only grows; its name ends with `_total`.
        case counter
    }

    private var text = ""

    /// Begins a family of numbers.
    ///
    /// - Parameters:
    ///   - name: the name without `_total`, with its unit where it has one.
    ///   - help: what it is, in a sentence.
    mutating func family(_ name: String, _ kind: Kind, _ help: String) {
        text += "# TYPE \(name) \(kind.rawValue)\n# HELP \(name) \(Self.escaped(help))\n"
    }

    /// Adds a number of the family that was begun last.
    mutating func add(_ name: String, _ labels: [(String, String)] = [], _ value: Double) {
        guard value.isFinite else { return }
        let pairs = labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
        let number = Int64(exactly: value).map(String.init) ?? value.description
        text += name + (pairs.isEmpty ? "" : "{\(pairs)}") + " \(number)\n"
    }

    /// The whole text.
    var finished: String { text + "# EOF\n" }

    /// A text with backslashes, quotes and line ends escaped (section 4.1 of the specification).
    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { escaped, character in
            switch character {
            case "\\": escaped += "\\\\"
            case "\"": escaped += "\\\""
            case "\n": escaped += "\\n"
            case _: escaped.append(character)
            }
        }
    }
}

/// Families of numbers in the text format of OpenMetrics 1.0, which Prometheus reads.
package struct MetricsText: Sendable {
    /// The media type of the format.
    static let mediaType = "application/openmetrics-text; version=1.0.0; charset=utf-8"

    private var text = ""

    /// Writes families in their order.
    ///
    /// - Parameter help: the meaning of a family, in a sentence, by its name.
    package init(_ families: [OpenMetricsFamily], help: [String: String]) {
        for family in families {
            text += "# TYPE \(family.name) \(family.kind.rawValue)\n"
            if let help = help[family.name] { text += "# HELP \(family.name) \(Self.escaped(help))\n" }
            for sample in family.samples { add(sample, of: family) }
        }
    }

    /// The whole text.
    package var finished: String { text + "# EOF\n" }

    private mutating func add(_ sample: OpenMetricsFamily.Number, of family: OpenMetricsFamily) {
        switch sample.value {
        case .number(let number): add(family.name + (family.kind == .counter ? "_total" : ""), sample.labels, number)
        case .summary(let count, let sum):
            add(family.name + "_count", sample.labels, Double(count))
            add(family.name + "_sum", sample.labels, sum)
        }
    }

    private mutating func add(_ name: String, _ labels: [OpenMetricsFamily.Label], _ value: Double) {
        let pairs = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
        let number = Int64(exactly: value).map(String.init) ?? value.description
        text += name + (pairs.isEmpty ? "" : "{\(pairs)}") + " \(number)\n"
    }

    /// A text with backslashes, quotes and line ends escaped (section 4.1 of the specification), also as a part of a
    /// longer `Character`: "\r\n" and a quote with an accent are each one `Character`.
    private static func escaped(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped.append(contentsOf: "\\\\".unicodeScalars)
            case "\"": escaped.append(contentsOf: "\\\"".unicodeScalars)
            case "\n": escaped.append(contentsOf: "\\n".unicodeScalars)
            case _: escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}

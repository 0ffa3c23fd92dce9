package import TrackEngineSettings

extension ConfigurationReference {
    /// Keys for the user at a terminal: each with its meaning, its values and its default.
    package static func text(of keys: [KeyDescription]) -> String {
        keys.map { key in
            let fallback = key.fallback { "default \($0)" }.map { "; \($0)" } ?? ""
            return "\(key.key)\n    \(key.meaning)\n    \(key.kind.rawValue): \(key.expectation)\(fallback)\n"
        }.joined(separator: "\n")
    }

    /// A line for each key, under the headings of the sections.
    var overview: String {
        let width = keys.map(\.key.count).max() ?? 0
        return sections.map { section in
            let lines = section.keys.map { key in
                "  \(key.key)" + String(repeating: " ", count: width - key.key.count + 2) + "\(key.meaning)\n"
            }
            return "\(section.title): \(section.summary)\n" + lines.joined()
        }.joined(separator: "\n")
    }
}

extension KeyDescription {
    /// The value of a key that is not given: its default, as a configuration has it and as `shown` formats it, or
    /// that it is required; `nil` for a table with keys that have their own defaults.
    func fallback(_ shown: (String) -> String) -> String? {
        guard let defaultValue else { return "required" }
        switch defaultValue {
        case .table(let members): return members.isEmpty ? shown("{}") : nil
        case .word, .text, .secret, .masked, .list: return shown(defaultValue.yaml.trimmedLine)
        }
    }
}

extension String {
    /// The text without the line end that YAML adds after a value.
    fileprivate var trimmedLine: String { last == "\n" ? String(dropLast()) : self }
}

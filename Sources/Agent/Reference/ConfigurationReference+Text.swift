package import TrackEngineSettings

extension ConfigurationReference {
    /// Keys for a person at a terminal: each with its meaning, its values and its default.
    package static func text(of keys: [KeyDescription]) -> String {
        keys.map { key in
            let fallback = key.fallback { "default \($0)" }.map { "; \($0)" } ?? ""
            return "\(key.key)\n    \(key.meaning)\n    \(key.kind.rawValue): \(key.expectation)\(fallback)\n"
        }.joined(separator: "\n")
    }

    /// A line for each key, under the headings of the sections.
    package var overview: String {
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
    /// What holds where the key is not given: its default, as a configuration has it and as `shown` puts it, or that it is
    /// required; `nil` for a table whose keys have defaults of their own.
    func fallback(_ shown: (String) -> String) -> String? {
        guard let defaultValue else { return "required" }
        switch defaultValue {
        case .table(let members): return members.isEmpty ? shown("{}") : nil
        case .word, .text, .secret, .masked, .list: return shown(defaultValue.yaml.trimmedLine)
        }
    }
}

extension String {
    /// Without the end of the line that YAML puts behind a value.
    fileprivate var trimmedLine: String { last == "\n" ? String(dropLast()) : self }
}

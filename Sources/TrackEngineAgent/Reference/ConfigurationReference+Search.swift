package import TrackEngineSettings

extension ConfigurationReference {
    /// The keys that a word may mean: a full key, a section, the end of keys, a type, or a key as messages write it,
    /// with the name of an element in place of its type (`sinks.home.url`).
    ///
    /// - Returns: the keys in order, with the keys below them; empty for an unknown word.
    package func keys(matching word: String) -> [KeyDescription] {
        let found = found(word).map(\.key)
        return keys.filter { key in found.contains { key.key == $0 || key.key.hasPrefix("\($0).") } }
    }

    private func found(_ word: String) -> [KeyDescription] {
        let wanted = word.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let exact = keys.filter { matches(wanted, $0, from: 0, upTo: \.count) }
        if !exact.isEmpty { return exact }
        let below = keys.filter { matches(wanted, $0, from: 0, upTo: { _ in wanted.count }) }
        if !below.isEmpty { return below }
        let ending = keys.filter { matches(wanted, $0, from: $0.key.parts.count - wanted.count, upTo: \.count) }
        if !ending.isEmpty { return ending }
        return sections.filter { $0.type == word }.flatMap(\.keys)
    }

    /// The key that is nearest to an unknown word.
    package func suggestion(for word: String) -> String? {
        let last = word.split(separator: ".").last.map(String.init) ?? word
        let ends = keys.compactMap(\.key.parts.last)
        return Suggestion.nearest(to: word, in: keys.map(\.key)) ?? Suggestion.nearest(to: last, in: ends)
    }

    /// Whether parts of a key are the wanted ones.
    private func matches(
        _ wanted: [String], _ description: KeyDescription, from start: Int, upTo end: ([String]) -> Int
    ) -> Bool {
        let parts = description.key.parts
        guard start >= 0, end(parts) <= parts.count, end(parts) - start == wanted.count else { return false }
        return zip(parts[start...].indices, wanted).allSatisfy { index, wanted in
            parts[index].lowercased() == wanted.lowercased() || isElement(index, of: parts, named: wanted)
        }
    }

    /// Whether a word can replace the type or the `*` at an index of a key: it is the name of an element.
    private func isElement(_ index: Int, of parts: [String], named word: String) -> Bool {
        guard index == 1 else { return false }
        let types: [String]
        switch parts[0] {
        case "sources": types = program.plugins.sources.map(\.type)
        case "sinks": types = program.plugins.sinks.map(\.type)
        case _: return false
        }
        return parts[index] == "*" || !types.contains(word)
    }
}

extension String {
    fileprivate var parts: [String] { split(separator: ".").map(String.init) }
}

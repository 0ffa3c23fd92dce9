/// Finds the intended word for a misspelled one.
package enum Suggestion {
    /// The candidate nearest to `word`: the same but for its case, or with an edit distance of at most a third of its
    /// letters, or else the only candidate that begins or ends with `word` or with which `word` begins.
    package static func nearest(to word: String, in candidates: [String]) -> String? {
        guard word.utf8.count <= 64 else { return nil }
        let lowercased = word.lowercased()
        let ranked = candidates.map { ($0, distance(Array(lowercased), Array($0.lowercased()))) }
        if let (best, distance) = ranked.min(by: { $0.1 < $1.1 }), distance <= max(1, word.count / 3) { return best }
        guard !word.contains(".") else { return nil }
        let related = candidates.filter { isPart(lowercased, of: $0.lowercased()) }
        return related.count == 1 ? related[0] : nil
    }

    /// Whether one of two words in lower case, of three letters or more, is a part of the other that is easily
    /// confused with it: `timeout` with `httptimeout`, `tokenfile` with `token`.
    private static func isPart(_ word: String, of candidate: String) -> Bool {
        (word.count >= 3 && (candidate.hasPrefix(word) || candidate.hasSuffix(word)))
            || (candidate.count >= 3 && word.hasPrefix(candidate))
    }

    /// The number of letters that must be added, removed, replaced or swapped with their neighbour to turn one word
    /// into the other (optimal string alignment).
    package static func distance(_ left: [Character], _ right: [Character]) -> Int {
        guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in 1...left.count {
            var current = [row]
            for column in 1...right.count {
                let change = left[row - 1] == right[column - 1] ? 0 : 1
                var best = min(last[column] + 1, current[column - 1] + 1, last[column - 1] + change)
                if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
                    best = min(best, beforeLast[column - 2] + 1)
                }
                current.append(best)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}

extension [String] {
    /// `a, b or c`
    package var inWords: String {
        guard let last else { return "" }
        return count == 1 ? last : dropLast().joined(separator: ", ") + " or " + last
    }
}

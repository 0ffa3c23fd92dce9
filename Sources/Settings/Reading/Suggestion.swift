/// Finds what a misspelled word was meant to be.
package enum Suggestion {
    /// The candidate nearest to `word`: the same but for its case, or at most a third of its letters away.
    package static func nearest(to word: String, in candidates: [String]) -> String? {
        guard word.utf8.count <= 64 else { return nil }
        let lowercased = word.lowercased()
        let ranked = candidates.map { ($0, distance(Array(lowercased), Array($0.lowercased()))) }
        guard let (best, distance) = ranked.min(by: { $0.1 < $1.1 }), distance <= max(1, word.count / 3) else {
            return nil
        }
        return best
    }

    /// How many letters must be added, removed, replaced or swapped with their neighbour to turn one word into the
    /// other (optimal string alignment).
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

import TestSupport
import Testing
import TrackEngineSettings

@Suite("Words that were probably meant")
struct SuggestionTests {
    private static let table: [(word: String, candidates: [String], nearest: String?)] = [
        ("toekn", ["type", "token", "tokenFile"], "token"), ("TOKEN", ["tok", "token"], "token"),
        ("distanceFitler", ["distanceFilter", "stillAfter"], "distanceFilter"), ("ur", ["url", "user"], "url"),
        // A third of the letters may differ, and one in any case.
        ("abcxyz", ["abcdef"], nil), ("abcdxy", ["abcdef"], "abcdef"), ("xyz", ["abc"], nil), ("a", ["b"], "b"),
        ("", ["b"], "b"), ("", ["bc"], nil), ("word", [], nil),
        // Two of the same distance: the first.
        ("tape", ["tapa", "tapi"], "tapa"),
        // A beginning or an end of the only such candidate, or a candidate with more behind it.
        ("timeout", ["token", "httpTimeout"], "httpTimeout"), ("timeout", ["httpTimeout", "idleTimeout"], nil),
        ("tokenFile", ["token", "type"], "token"), ("TokenFile", ["token", "type"], "token"),
        ("max", ["maxRecords"], "maxRecords"), ("ma", ["maxRecords"], nil), ("idToken", ["id"], nil),
        ("filter", ["distanceFilterOff"], nil), ("sync.threshold", ["sync"], nil),
    ]

    @Test(arguments: table.indices)
    func `the nearest word is one that a typing error leads to, or the only one with the same end`(_ index: Int) {
        let row = Self.table[index]
        #expect(Suggestion.nearest(to: row.word, in: row.candidates) == row.nearest)
    }

    @Test func `a word of more than 64 bytes is not compared`() {
        let longest = String(repeating: "w", count: 64)
        #expect(Suggestion.nearest(to: longest, in: [longest]) == longest)
        #expect(Suggestion.nearest(to: longest + "w", in: [longest + "w"]) == nil)
    }

    @Test(arguments: [
        ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("abc", "abc", 0), ("abc", "abcd", 1), ("abc", "bc", 1),
        ("abc", "axc", 1), ("ab", "ba", 1), ("abcd", "acbd", 1), ("ca", "abc", 3), ("kitten", "sitting", 3),
    ])
    func `an added, missing, wrong or swapped letter counts one`(_ left: String, _ right: String, _ distance: Int) {
        #expect(Suggestion.distance(Array(left), Array(right)) == distance)
        #expect(Suggestion.distance(Array(right), Array(left)) == distance)
    }

    @Test func `so many changes make at most that distance`() {
        var random = SeededGenerator(seed: 64)
        for _ in 0..<500 {
            let word = (0..<Int.random(in: 1...12, using: &random)).map { _ in Self.letter(&random) }
            var changed = word
            let changes = Int.random(in: 0...3, using: &random)
            for _ in 0..<changes {
                let place = Int.random(in: 0...changed.count, using: &random)
                if place < changed.count, Bool.random(using: &random) { changed.remove(at: place) }
                if Bool.random(using: &random) { changed.insert(Self.letter(&random), at: min(place, changed.count)) }
            }
            let distance = Suggestion.distance(word, changed)
            #expect(distance <= changes && distance >= abs(word.count - changed.count), "\(word) \(changed)")
            #expect((distance == 0) == (word == changed))
        }
    }

    private static func letter(_ random: inout SeededGenerator) -> Character {
        "abc".randomElement(using: &random) ?? "a"
    }

    @Test(
        arguments: [([], ""), (["a"], "a"), (["a", "b"], "a or b"), (["a", "b", "c"], "a, b or c")]
            as [([String], String)])
    func `words are listed with an or before the last`(_ words: [String], _ text: String) {
        #expect(words.inWords == text)
    }
}

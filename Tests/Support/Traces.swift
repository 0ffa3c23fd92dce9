import Foundation

/// What must not be found in the files of something encrypted, in every form in which somebody might have written it.
package struct Traces {
    /// What is looked for, by what it tells.
    package var patterns: [(meaning: String, bytes: [UInt8])]

    package init(_ patterns: [(meaning: String, bytes: [UInt8])] = []) { self.patterns = patterns }

    /// A number as an IEEE double.
    package static func double(_ number: Double) -> [(meaning: String, bytes: [UInt8])] {
        bothWays(number.bitPattern).map { ("an IEEE double", $0) }
    }

    /// A place as doubles, in fixed point (also in seven bits a byte), and in digits.
    package static func place(_ latitude: Double, _ longitude: Double) -> [(meaning: String, bytes: [UInt8])] {
        var patterns = double(latitude) + double(longitude)
        for scale in [1e5, 1e6, 1e7] {
            let pair = [latitude, longitude].map { Int32(($0 * scale).rounded()) }
            patterns.append(("a place in fixed point", pair.flatMap { bothWays($0)[0] }))
            patterns.append(("a place in fixed point", pair.flatMap { bothWays($0)[1] }))
            // Folded as 0, -1, 1, -2 … (zigzag), and the same one higher, where 0 is none.
            let folded = pair.map { UInt64(bitPattern: Int64($0) << 1 ^ Int64($0) >> 63) }
            patterns.append(("a place in seven bits a byte", folded.flatMap(sevenBits)))
            patterns.append(("a place in seven bits a byte", folded.flatMap { sevenBits($0 + 1) }))
        }
        patterns.append(("a place in digits", Array("\(latitude)".prefix(8).utf8)))
        patterns.append(("a place in digits", Array("\(longitude)".prefix(8).utf8)))
        return patterns
    }

    /// A text in UTF-8, UTF-16 and hexadecimal digits.
    package static func text(_ text: String, _ meaning: String) -> [(meaning: String, bytes: [UInt8])] {
        let digits = text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return [
            (meaning, Array(text.utf8)), (meaning, text.utf16.flatMap { bothWays($0)[0] }),
            (meaning, text.utf16.flatMap { bothWays($0)[1] }), (meaning, Array(digits.utf8)),
        ]
    }

    /// The bytes of a number, the lowest first and the highest first.
    package static func bothWays(_ number: some FixedWidthInteger) -> [[UInt8]] {
        [withUnsafeBytes(of: number.littleEndian) { Array($0) }, withUnsafeBytes(of: number.bigEndian) { Array($0) }]
    }

    /// LEB128.
    private static func sevenBits(_ number: UInt64) -> [UInt8] {
        var (rest, bytes) = (number, [UInt8]())
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    /// What the files of a directory and of those in it, and their names, tell, each with the file that tells it.
    package func found(in directory: String) throws -> Set<String> {
        let search = Search(for: patterns.map(\.bytes))
        var found: Set<String> = []
        for name in try FileManager.default.subpathsOfDirectory(atPath: directory) {
            var isDirectory: ObjCBool = false
            let path = directory + "/" + name
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else { continue }
            let content = isDirectory.boolValue ? Data() : try Data(contentsOf: URL(fileURLWithPath: path))
            for index in search.found(in: content).union(search.found(in: Data(name.utf8))) {
                found.insert("\(name): \(patterns[index].meaning)")
            }
        }
        return found
    }

    /// A search for many patterns in one pass: at each place only those are compared that have the next two bytes there.
    private struct Search {
        private let patterns: [[UInt8]]
        /// By two bytes, the patterns that have them first after their leading zeros, since files have many zeros.
        private var candidates = [[(pattern: Int, zeros: Int)]](repeating: [], count: 1 << 16)

        init(for patterns: [[UInt8]]) {
            self.patterns = patterns
            for (index, bytes) in patterns.enumerated() {
                precondition(bytes.count >= 2, "expected two bytes or more to look for")
                let zeros = min(bytes.prefix { $0 == 0 }.count, bytes.count - 2)
                candidates[Self.key(bytes[zeros], bytes[zeros + 1])].append((index, zeros))
            }
        }

        func found(in content: Data) -> Set<Int> {
            var found: Set<Int> = []
            content.withUnsafeBytes { bytes in
                for place in 0..<max(0, bytes.count - 1) {
                    for (pattern, zeros) in candidates[Self.key(bytes[place], bytes[place + 1])] {
                        let wanted = patterns[pattern]
                        let first = place - zeros
                        guard first >= 0, wanted.count <= bytes.count - first else { continue }
                        if bytes[first..<first + wanted.count].elementsEqual(wanted) { found.insert(pattern) }
                    }
                }
            }
            return found
        }

        private static func key(_ first: UInt8, _ second: UInt8) -> Int { Int(first) << 8 | Int(second) }
    }
}

import Foundation
import TrackEngine

/// What must not be found in the files of an encrypted store, in every form in which somebody might have written it.
struct Traces {
    /// What is looked for, by what it tells.
    let patterns: [(meaning: String, bytes: [UInt8])]

    init(of drafts: [RecordDraft], reasons: [String]) {
        var patterns: [(String, [UInt8])] = []
        for draft in drafts {
            let place = draft.fix.coordinate
            for number in [place.latitude, place.longitude, draft.fix.speed, draft.odometer].compactMap(\.self) {
                patterns += Self.bothWays(number.bitPattern).map { ("an IEEE double", $0) }
            }
            for scale in [1e5, 1e6, 1e7] {
                let pair = [place.latitude, place.longitude].map { Int32(($0 * scale).rounded()) }
                patterns.append(("a place in fixed point", pair.flatMap { Self.bothWays($0)[0] }))
                patterns.append(("a place in fixed point", pair.flatMap { Self.bothWays($0)[1] }))
            }
            patterns.append(("a place in digits", Array("\(place.latitude)".prefix(8).utf8)))
            patterns.append(("a place in digits", Array("\(place.longitude)".prefix(8).utf8)))
            patterns += Self.times(draft.fix.time)
            patterns.append(("a record's id", draft.id.bytes))
            patterns.append(("a record's id", draft.id.bytes.reversed()))
            patterns.append(("a record's id", Array(draft.id.description.utf8)))
            patterns.append(("a source's name", Array(draft.source.rawValue.utf8)))
        }
        for reason in reasons { patterns.append(("a reason", Array(reason.utf8))) }
        self.patterns = patterns
    }

    /// Nothing about a time but itself.
    static func times(_ time: Timestamp) -> [(String, [UInt8])] {
        let nanoseconds = time.nanosecondsSince1970
        let numbers = [nanoseconds, nanoseconds / 1_000, nanoseconds / 1_000_000, nanoseconds / 1_000_000_000]
        var times: [(String, [UInt8])] = []
        for number in numbers {
            for bytes in bothWays(number) { times.append(("a time", bytes)) }
            times.append(("a time in digits", Array("\(number)".utf8)))
        }
        // SQLite leaves out bytes that are zero.
        times.append(("a time", Array(bothWays(nanoseconds / 1_000_000)[1].dropFirst(2))))
        let text = time.rfc3339(.seconds)
        times.append(("a time as text", Array(text.prefix(13).utf8)))
        times.append(("a time in a name", Array(text.filter { $0 != "-" && $0 != ":" }.prefix(11).utf8)))
        return times
    }

    private static func bothWays(_ number: some FixedWidthInteger) -> [[UInt8]] {
        [withUnsafeBytes(of: number.littleEndian) { Array($0) }, withUnsafeBytes(of: number.bigEndian) { Array($0) }]
    }

    /// What a directory's files and their names tell, each with the file that tells it.
    func found(in directory: String) throws -> Set<String> {
        var found: Set<String> = []
        for name in try FileManager.default.contentsOfDirectory(atPath: directory) {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: directory + "/" + name))
            for pattern in patterns {
                let wanted = Data(pattern.bytes)
                if bytes.range(of: wanted) != nil || Data(name.utf8).range(of: wanted) != nil {
                    found.insert("\(name): \(pattern.meaning)")
                }
            }
        }
        return found
    }
}

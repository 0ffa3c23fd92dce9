import TestSupport
import TrackEngine

extension Traces {
    /// What must not be found in the files of an encrypted store.
    init(of drafts: [RecordDraft], reasons: [String]) {
        var patterns: [(meaning: String, bytes: [UInt8])] = []
        for draft in drafts {
            let place = draft.fix.coordinate
            patterns += Self.place(place.latitude, place.longitude)
            for number in [draft.fix.speed, draft.odometer].compactMap(\.self) { patterns += Self.double(number) }
            patterns += Self.times(draft.fix.time)
            patterns.append(("a record's id", draft.id.bytes))
            patterns.append(("a record's id", draft.id.bytes.reversed()))
            patterns.append(("a record's id", Array(draft.id.description.utf8)))
            patterns += Self.text(draft.source.rawValue, "a source's name")
        }
        for reason in reasons { patterns += Self.text(reason, "a reason") }
        self.init(patterns)
    }

    /// Nothing about a time but itself.
    static func times(_ time: Timestamp) -> [(meaning: String, bytes: [UInt8])] {
        let nanoseconds = time.nanosecondsSince1970
        let numbers = [nanoseconds, nanoseconds / 1_000, nanoseconds / 1_000_000, nanoseconds / 1_000_000_000]
        var times: [(meaning: String, bytes: [UInt8])] = []
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
}

/// The names of the members of a location in OwnTracks' format, from which the unit of its speed follows: kilometres an
/// hour, and metres a second in the messages of the app Colota.
///
/// | members | sender |
/// |---|---|
/// | `bear` and no `cog` | Colota |
/// | `acc`, `batt`, `bs` and `tst`, and none that only OwnTracks writes, such as `conn`, `m`, `t` or `vac` | Colota |
/// | others | OwnTracks |
///
/// Sources: <https://owntracks.org/booklet/tech/json/>; <https://colota.app/docs/api-reference>.
package struct OwnTracksMembers: Sendable, Hashable {
    private struct Set: OptionSet, Hashable, BitwiseCopyable {
        let rawValue: UInt8
        static let always = Set(rawValue: 0b1111)
        static let bear = Set(rawValue: 16)
        static let cog = Set(rawValue: 32)
        static let others = Set(rawValue: 64)
    }

    private static let names = NameTable<Set>([
        "acc": Set(rawValue: 1), "batt": Set(rawValue: 2), "bs": Set(rawValue: 4), "tst": Set(rawValue: 8),
        "bear": .bear, "cog": .cog, "_id": .others, "BSSID": .others, "SSID": .others,
        "conn": .others, "created_at": .others, "ghash": .others, "inregions": .others, "inrids": .others,
        "isorcv": .others, "isotst": .others, "m": .others, "motionactivities": .others, "p": .others,
        "poi": .others, "rad": .others, "t": .others, "tag": .others, "topic": .others, "vac": .others,
    ])

    private var seen = Set()

    package init() {}

    package mutating func note(_ name: Span<UInt8>) {
        if let known = Self.names[name] { seen.insert(known) }
    }

    /// Whether the speed is in metres a second.
    package var isOfColota: Bool {
        seen.intersection([.bear, .cog]) == .bear || seen.isSuperset(of: .always) && !seen.contains(.others)
    }
}

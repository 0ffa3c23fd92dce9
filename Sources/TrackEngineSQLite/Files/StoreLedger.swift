import SQLiteAccess
import TrackEngine

/// The facts about a store that must be known even if its database cannot be read, in a small file next to it.
///
/// The ceiling is reserved in large steps, so the file is written once in ten thousand records, not for each record.
package struct StoreLedger: Hashable {
    /// The highest reserved sequence number: no number above it has ever been assigned.
    package var ceiling: Int64
    /// The number of records when the store was closed properly; `nil` while it is open or after a crash.
    package var countAtClose: Int?

    /// The number of sequence numbers that are reserved at once.
    package static let step: Int64 = 10_000

    /// The next ceiling to reserve. Ceilings are multiples of the step, so a gap between records that ends at a
    /// multiple is known to be the unused rest of a reservation before a crash.
    package static func ceiling(above sequence: Int64) -> Int64 { (max(0, sequence) / step + 1) * step }

    private static let title = "track-engine-ledger 1"

    /// The file's contents: four lines, of which the last is the check of the others.
    package var bytes: [UInt8] {
        let text = "\(Self.title)\nceiling \(ceiling)\nclosed \(countAtClose.map(String.init) ?? "no")\n"
        return Array((text + "check \(Self.check(text))\n").utf8)
    }

    package init(ceiling: Int64, countAtClose: Int?) {
        self.ceiling = ceiling
        self.countAtClose = countAtClose
    }

    /// Reads a file's contents; `nil` if they are not a complete ledger.
    package init?(bytes: [UInt8]) {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 5, lines[0] == Self.title, lines[1].hasPrefix("ceiling "), lines[2].hasPrefix("closed "),
            lines[3] == "check \(Self.check(lines[0...2].map { $0 + "\n" }.joined()))",
            let ceiling = Int64(lines[1].dropFirst("ceiling ".count)),
            ceiling == 0 || SequenceBounds.contains(ceiling)
        else { return nil }
        self.ceiling = ceiling
        countAtClose = Int(lines[2].dropFirst("closed ".count)).flatMap { (0...Int(ceiling)).contains($0) ? $0 : nil }
    }

    private static func check(_ text: String) -> UInt32 {
        var check = CRC32()
        check.combine(text.utf8)
        return check.value
    }

    /// Reads the ledger of a store; `nil` if it is missing or damaged. An unreadable file is an error, because
    /// numbering must not continue without the ledger.
    static func read(
        path: String, willRead: @escaping @Sendable (String) throws(StoreError) -> Void
    ) throws(StoreError) -> StoreLedger? {
        guard let file = try ReadOnlyFile(path, willRead: willRead) else { return nil }
        return StoreLedger(bytes: try file.bytes(at: 0, count: 256))
    }

    func write(to path: String) throws(StoreError) { try DatabaseFile.replace(path, with: bytes) }
}

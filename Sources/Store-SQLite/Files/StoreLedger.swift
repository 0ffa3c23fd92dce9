import SQLiteAccess
import TrackEngine

/// What must be known about a store even when its database cannot be read: a tiny file beside it.
///
/// The ceiling is reserved in large steps, so the file is written once in ten thousand records, not once a record.
package struct StoreLedger: Hashable {
    /// No sequence number above this one has ever been given.
    package var ceiling: Int64
    /// How many records there were when the store was closed in order; `nil` while it is open or after a crash.
    package var countAtClose: Int?

    /// How many numbers are reserved at once.
    package static let step: Int64 = 10_000

    /// The next ceiling to reserve. Ceilings are multiples of the step, so that a gap between records which ends at one
    /// is known as the rest of a reservation that a crash left unused.
    package static func ceiling(above sequence: Int64) -> Int64 { (max(0, sequence) / step + 1) * step }

    private static let title = "track-engine-ledger 1"

    /// The file's contents: four lines, the last one the check of the others.
    package var bytes: [UInt8] {
        let text = "\(Self.title)\nceiling \(ceiling)\nclosed \(countAtClose.map(String.init) ?? "no")\n"
        return Array((text + "check \(Self.check(text))\n").utf8)
    }

    package init(ceiling: Int64, countAtClose: Int?) {
        self.ceiling = ceiling
        self.countAtClose = countAtClose
    }

    /// Reads a file's contents; `nil` when they are not a whole ledger.
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
}

extension StoreLedger {
    /// Reads the ledger of a store; `nil` when it is missing or damaged. One that cannot be read is an error, because
    /// without it the numbers may not go on.
    static func read(
        path: String, willRead: @escaping @Sendable (String) throws(StoreError) -> Void
    ) throws(StoreError) -> StoreLedger? {
        guard let file = try ReadOnlyFile(path, willRead: willRead) else { return nil }
        return StoreLedger(bytes: try file.bytes(at: 0, count: 256))
    }

    func write(to path: String) throws(StoreError) { try PosixFile.replace(path, with: bytes) }
}

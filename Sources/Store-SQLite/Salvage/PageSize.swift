/// How large the pages of a database are, in bytes.
enum PageSize {
    /// What this store gives its databases.
    static let own = 4096

    /// Whether SQLite knows pages of this size: a power of two from 512 to 65,536.
    static func isPossible(_ size: Int) -> Bool { (512...65_536).contains(size) && size & (size - 1) == 0 }

    /// What a database's header says (file format, section 1.3.2), if it can be true.
    static func named(by head: UnsafeRawBufferPointer) -> Int? {
        guard head.starts(with: Array("SQLite format 3\0".utf8)), let value = FileFormat.short(head, at: 16) else {
            return nil
        }
        let size = value == 1 ? 65_536 : value
        return isPossible(size) ? size : nil
    }

    /// Of the sizes that may be the right one, that by which more pages look like leaves with rows.
    ///
    /// - Parameter sample: the beginning of the database.
    static func mostLikely(of sizes: [Int], for sample: UnsafeRawBufferPointer) -> Int {
        func soundLeaves(_ size: Int) -> Int {
            stride(from: 0, to: max(0, sample.count - size + 1), by: size).count { offset in
                let page = UnsafeRawBufferPointer(rebasing: sample[offset..<offset + size])
                let isFirst = offset == 0
                var rows = 0
                guard LeafPage.isMarked(page, isFirst: isFirst) else { return false }
                return LeafPage.forEachCell(in: page, isFirst: isFirst) { _ in rows += 1 } && rows > 0
            }
        }
        // Of equals the first: with no leaf at all there is nothing to read by any size.
        return sizes.reduce((size: own, leaves: -1)) { best, size in
            let leaves = soundLeaves(size)
            return leaves > best.leaves ? (size, leaves) : best
        }.size
    }
}

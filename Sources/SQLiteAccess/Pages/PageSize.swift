/// The page size of a database, in bytes.
package enum PageSize {
    /// The page size of this store's databases.
    package static let own = 4096

    /// Whether SQLite supports pages of this size: a power of two from 512 to 65,536.
    static func isPossible(_ size: Int) -> Bool { (512...65_536).contains(size) && size & (size - 1) == 0 }

    /// The size in a database's header (file format, section 1.3.2), if it is a possible one.
    static func named(by head: UnsafeRawBufferPointer) -> Int? {
        guard head.starts(with: Array("SQLite format 3\0".utf8)), let value = FileFormat.short(head, at: 16) else {
            return nil
        }
        let size = value == 1 ? 65_536 : value
        return isPossible(size) ? size : nil
    }

    /// The size, of the possible ones, with which most pages look like leaves with rows.
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
        // The first of equal sizes is used: without any leaf there is no row to read with any size.
        return sizes.reduce((size: own, leaves: -1)) { best, size in
            let leaves = soundLeaves(size)
            return leaves > best.leaves ? (size, leaves) : best
        }.size
    }
}

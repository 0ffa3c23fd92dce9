/// One row of a table as a leaf page holds it.
package struct LeafCell {
    package let rowid: Int64
    /// The length of the row, including its part on other pages.
    package let length: Int
    /// The row's bytes on this page: all of them, or the beginning.
    package let local: UnsafeRawBufferPointer
    /// The first page with the rest of the row; `nil` if there is none.
    package let overflow: UInt32?
}

/// A leaf page of a table's b-tree (SQLite file format, section 1.6), read without the tree above it.
package enum LeafPage {
    /// A row longer than this is damage: the longest field is a text of 64 KiB.
    package static let longestRow = 1 << 20

    /// Whether a page is marked as a leaf page.
    package static func isMarked(_ page: UnsafeRawBufferPointer, isFirst: Bool) -> Bool {
        let start = isFirst ? 100 : 0
        return page.count > start && page[start] == 0x0d
    }

    /// Visits the rows of a page that is marked as a leaf.
    ///
    /// - Returns: whether every row is at the position given in the page's table; otherwise the page is damaged.
    package static func forEachCell(
        in page: UnsafeRawBufferPointer, isFirst: Bool, _ body: (LeafCell) throws -> Void
    ) rethrows -> Bool {
        let start = isFirst ? 100 : 0
        guard let count = FileFormat.short(page, at: start + 3), start + 8 + 2 * count <= page.count else {
            return false
        }
        var isWhole = true
        for index in 0..<count {
            guard let offset = FileFormat.short(page, at: start + 8 + 2 * index), offset >= start + 8 + 2 * count,
                let cell = cell(in: page, at: offset)
            else {
                isWhole = false
                continue
            }
            try body(cell)
        }
        return isWhole
    }

    /// The row whose cell begins at an offset.
    package static func cell(in page: UnsafeRawBufferPointer, at offset: Int) -> LeafCell? {
        guard let (length, lengthSize) = FileFormat.variable(page, at: offset),
            (2...Int64(longestRow)).contains(length),
            let (rowid, rowidSize) = FileFormat.variable(page, at: offset + lengthSize)
        else { return nil }
        let begin = offset + lengthSize + rowidSize
        let local = localLength(of: Int(length), pageSize: page.count)
        guard begin + local <= page.count else { return nil }
        let bytes = UnsafeRawBufferPointer(rebasing: page[begin..<begin + local])
        guard local < Int(length) else { return LeafCell(rowid: rowid, length: local, local: bytes, overflow: nil) }
        guard let next = FileFormat.word(page, at: begin + local) else { return nil }
        return LeafCell(rowid: rowid, length: Int(length), local: bytes, overflow: next)
    }

    /// The length of the part of a row on the leaf itself, by the rule of section 1.6. U is the page's size, of which
    /// every byte is usable: X = U-35 (of an index: ((U-12)·64/255)-23), M = ((U-12)·32/255)-23, K = M+((P-M) mod
    /// (U-4)). With U = 4096: X = 4061, M = 489.
    ///
    /// - Parameter most: X; `nil` for that of a table.
    package static func localLength(of length: Int, most: Int? = nil, pageSize: Int) -> Int {
        let most = most ?? pageSize - 35
        guard length > most else { return length }
        let least = (pageSize - 12) * 32 / 255 - 23
        let even = least + (length - least) % (pageSize - 4)
        return even <= most ? even : least
    }
}

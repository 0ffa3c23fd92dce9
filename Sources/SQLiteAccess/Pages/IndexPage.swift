/// A page of the b-tree of an index, or of a table without row ids (SQLite file format, section 1.6), read without the
/// tree above it. Interior pages hold rows, too.
package enum IndexPage {
    /// Whether a page is marked as a page of such a tree.
    package static func isMarked(_ page: UnsafeRawBufferPointer) -> Bool { page.first == 0x0a || page.first == 0x02 }

    /// Visits the rows of a page that is marked.
    ///
    /// - Returns: whether every row is at the position given in the page's table; otherwise the page is damaged.
    package static func forEachCell(
        in page: UnsafeRawBufferPointer, _ body: (LeafCell) throws -> Void
    ) rethrows -> Bool {
        let isLeaf = page.first == 0x0a
        let head = isLeaf ? 8 : 12
        guard let count = FileFormat.short(page, at: 3), head + 2 * count <= page.count else { return false }
        var isWhole = true
        for index in 0..<count {
            guard let offset = FileFormat.short(page, at: head + 2 * index), offset >= head + 2 * count,
                let cell = cell(in: page, at: offset + (isLeaf ? 0 : 4))
            else {
                isWhole = false
                continue
            }
            try body(cell)
        }
        return isWhole
    }

    private static func cell(in page: UnsafeRawBufferPointer, at offset: Int) -> LeafCell? {
        guard let (length, size) = FileFormat.variable(page, at: offset),
            (2...Int64(LeafPage.longestRow)).contains(length)
        else { return nil }
        let begin = offset + size
        let local = LeafPage.localLength(
            of: Int(length), most: (page.count - 12) * 64 / 255 - 23, pageSize: page.count)
        guard begin + local <= page.count else { return nil }
        let bytes = UnsafeRawBufferPointer(rebasing: page[begin..<begin + local])
        guard local < Int(length) else { return LeafCell(rowid: 0, length: local, local: bytes, overflow: nil) }
        guard let next = FileFormat.word(page, at: begin + local) else { return nil }
        return LeafCell(rowid: 0, length: Int(length), local: bytes, overflow: next)
    }
}

/// The pages below an interior page of any b-tree.
package enum InteriorPage {
    /// Returns the numbers of the pages below; `nil` for a page that is not interior, or damaged.
    package static func children(of page: UnsafeRawBufferPointer) -> [UInt32]? {
        guard page.first == 0x05 || page.first == 0x02, let count = FileFormat.short(page, at: 3),
            let last = FileFormat.word(page, at: 8)
        else { return nil }
        var children: [UInt32] = []
        for index in 0..<count {
            guard let offset = FileFormat.short(page, at: 12 + 2 * index),
                let child = FileFormat.word(page, at: offset)
            else { return nil }
            children.append(child)
        }
        return children + [last]
    }
}

/// A page of the b-tree of an index, or of a table without row ids (SQLite file format, section 1.6), read without the
/// tree above it. Interior pages hold rows, too.
package enum IndexPage {
    /// Whether a page is marked as a page of such a tree.
    package static func isMarked(_ page: UnsafeRawBufferPointer) -> Bool { page.first == 0x0a || page.first == 0x02 }

    /// Visits the rows of a page that is marked, also when it has the other mark.
    ///
    /// - Returns: whether the mark is right, and the rows are all of the page's contents; otherwise the page is damaged.
    package static func forEachCell(
        in page: UnsafeRawBufferPointer, _ body: (LeafCell) throws -> Void
    ) rethrows -> Bool {
        let isMarkedLeaf = page.first == 0x0a
        let hasOtherMark =
            !forEachCell(in: page, asLeaf: isMarkedLeaf) { _ in }
            && forEachCell(in: page, asLeaf: !isMarkedLeaf) { _ in }
        return try forEachCell(in: page, asLeaf: isMarkedLeaf != hasOtherMark, body) && !hasOtherMark
    }

    private static func forEachCell(
        in page: UnsafeRawBufferPointer, asLeaf isLeaf: Bool, _ body: (LeafCell) throws -> Void
    ) rethrows -> Bool {
        try LeafCell.forEach(
            in: page, at: 0, head: isLeaf ? 8 : 12, { cell(in: page, at: $0 + (isLeaf ? 0 : 4)) }, body)
    }

    private static func cell(in page: UnsafeRawBufferPointer, at offset: Int) -> LeafCell? {
        guard let (length, size) = FileFormat.variable(page, at: offset),
            (2...Int64(LeafPage.longestRow)).contains(length)
        else { return nil }
        return LeafCell(
            in: page, at: offset + size, length: Int(length), most: (page.count - 12) * 64 / 255 - 23)
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
            guard let offset = FileFormat.cellOffset(page, at: 12 + 2 * index),
                let child = FileFormat.word(page, at: offset)
            else { return nil }
            children.append(child)
        }
        return children + [last]
    }
}

/// One row of a tree as a page holds it.
package struct LeafCell {
    /// Its place in the page's table, from 0.
    package fileprivate(set) var index = 0
    package let rowid: Int64
    /// The length of the row, including its part on other pages.
    package let length: Int
    /// The row's bytes on this page: all of them, or the beginning.
    package let local: UnsafeRawBufferPointer
    /// The first page with the rest of the row; `nil` if there is none.
    package let overflow: UInt32?

    /// The cell with a row whose bytes begin at an offset; `nil` where the page does not have them.
    ///
    /// - Parameter most: the X of ``LeafPage/localLength(of:most:pageSize:)``; `nil` for that of a table.
    init?(in page: UnsafeRawBufferPointer, at begin: Int, rowid: Int64 = 0, length: Int, most: Int? = nil) {
        let size = LeafPage.localLength(of: length, most: most, pageSize: page.count)
        guard begin + size <= page.count else { return nil }
        self.rowid = rowid
        self.length = length
        local = UnsafeRawBufferPointer(rebasing: page[begin..<begin + size])
        overflow = size < length ? FileFormat.word(page, at: begin + size) : nil
        guard size == length || overflow != nil else { return nil }
    }

    /// Visits the cells of a page (file format, section 1.6).
    ///
    /// - Parameters:
    ///   - page: the page.
    ///   - start: the offset of the page's header.
    ///   - head: the length of the header.
    ///   - read: returns the cell at an offset.
    /// - Returns: whether all cells can be read, and they, the free blocks and the fragments are all of the content
    ///   area; otherwise the page is damaged.
    static func forEach(
        in page: UnsafeRawBufferPointer, at start: Int, head: Int, _ read: (Int) -> LeafCell?,
        _ body: (LeafCell) throws -> Void
    ) rethrows -> Bool {
        let table = start + head
        guard let count = FileFormat.short(page, at: start + 3), table + 2 * count <= page.count else { return false }
        var isWhole = true
        var used = 0
        for index in 0..<count {
            guard let offset = FileFormat.cellOffset(page, at: table + 2 * index), offset >= table + 2 * count,
                var cell = read(offset), let base = page.baseAddress, let local = cell.local.baseAddress
            else {
                isWhole = false
                continue
            }
            cell.index = index
            used += max(4, local - base - offset + cell.local.count + (cell.overflow == nil ? 0 : 4))
            try body(cell)
        }
        return isWhole && unused(in: page, at: start).map { $0 + used } == contentLength(of: page, at: start)
    }

    /// The length of a page's content area.
    private static func contentLength(of page: UnsafeRawBufferPointer, at start: Int) -> Int? {
        FileFormat.short(page, at: start + 5).map { page.count - ($0 == 0 ? 65_536 : $0) }
    }

    /// The length of the free blocks and fragments of a page; `nil` where the blocks are not in order.
    private static func unused(in page: UnsafeRawBufferPointer, at start: Int) -> Int? {
        var length = Int(page[start + 7])
        var last = 0
        while let next = FileFormat.short(page, at: last == 0 ? start + 1 : last), next > 0 {
            guard next > last, let size = FileFormat.short(page, at: next + 2) else { return nil }
            length += size
            last = next
        }
        return length
    }
}

/// A leaf page of a table's b-tree (SQLite file format, section 1.6), read without the tree above it.
package enum LeafPage {
    /// A row longer than this is damage: the longest field is a text of 64 KiB.
    static let longestRow = 1 << 20

    /// Whether a page is marked as a leaf page.
    package static func isMarked(_ page: UnsafeRawBufferPointer, isFirst: Bool) -> Bool {
        let start = isFirst ? 100 : 0
        return page.count > start && page[start] == 0x0d
    }

    /// Visits the rows of a page that is marked as a leaf.
    ///
    /// - Returns: whether the rows are all of the page's contents; otherwise the page is damaged.
    package static func forEachCell(
        in page: UnsafeRawBufferPointer, isFirst: Bool, _ body: (LeafCell) throws -> Void
    ) rethrows -> Bool {
        try LeafCell.forEach(in: page, at: isFirst ? 100 : 0, head: 8, { cell(in: page, at: $0) }, body)
    }

    /// The row whose cell begins at an offset.
    package static func cell(in page: UnsafeRawBufferPointer, at offset: Int) -> LeafCell? {
        guard let (length, lengthSize) = FileFormat.variable(page, at: offset),
            (2...Int64(longestRow)).contains(length),
            let (rowid, rowidSize) = FileFormat.variable(page, at: offset + lengthSize)
        else { return nil }
        return LeafCell(in: page, at: offset + lengthSize + rowidSize, rowid: rowid, length: Int(length))
    }

    /// The length of the part of a row on the leaf itself, by the rule of section 1.6. U is the page's size, of which
    /// every byte is usable: X = U-35 (of an index: ((U-12)·64/255)-23), M = ((U-12)·32/255)-23, K = M+((P-M) mod
    /// (U-4)). With U = 4096: X = 4061, M = 489.
    ///
    /// - Parameter most: X; `nil` for that of a table.
    static func localLength(of length: Int, most: Int? = nil, pageSize: Int) -> Int {
        let most = most ?? pageSize - 35
        guard length > most else { return length }
        let least = (pageSize - 12) * 32 / 255 - 23
        let even = least + (length - least) % (pageSize - 4)
        return even <= most ? even : least
    }
}

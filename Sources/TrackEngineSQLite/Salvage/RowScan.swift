import SQLiteAccess

/// Finds rows of `record` by their beginning, on a page whose own table of rows is damaged.
///
/// A row of `record` begins with a header of 5 to 9 bytes, whose second and third bytes are 0 (the key, which is the
/// row id) and 44 (an id of 16 bytes: 16·2+12). The row's length and its row id precede it. The check decides whether
/// the bytes are a row.
enum RowScan {
    static func forEachCell(in page: UnsafeRawBufferPointer, _ body: (LeafCell) throws -> Void) rethrows {
        var offset = 3
        while offset + 3 < page.count {
            if page[offset + 1] == 0, page[offset + 2] == 44, (5...9).contains(page[offset]) {
                try forEachCell(in: page, withRowAt: offset, body)
            }
            offset += 1
        }
    }

    /// Row id and length have one to nine and one to three bytes; several readings may be possible, but only one is
    /// right.
    private static func forEachCell(
        in page: UnsafeRawBufferPointer, withRowAt row: Int, _ body: (LeafCell) throws -> Void
    ) rethrows {
        for size in 2...12 where row >= size {
            guard let cell = LeafPage.cell(in: page, at: row - size), cell.overflow == nil,
                cell.local.baseAddress == page.baseAddress.map({ $0 + row })
            else { continue }
            try body(cell)
        }
    }
}

/// Finds rows of `record` on a page whose own table of rows is damaged, by their beginning.
///
/// A row of `record` begins with a header of 5 to 9 bytes, of which the second and third are 0 (the key, which is the
/// row id) and 44 (an id of 16 bytes: 16·2+12). In front of it stand the row's length and its row id. Whether it is a
/// row, its check decides.
enum RowSweep {
    static func forEachCell(in page: UnsafeRawBufferPointer, _ body: (LeafCell) throws -> Void) rethrows {
        var offset = 3
        while offset + 3 < page.count {
            if page[offset + 1] == 0, page[offset + 2] == 44, (5...9).contains(page[offset]) {
                try forEachCell(in: page, withRowAt: offset, body)
            }
            offset += 1
        }
    }

    /// Row id and length have one to nine and one to three bytes; several readings can be possible, and one is right.
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

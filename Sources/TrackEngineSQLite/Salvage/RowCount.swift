import SQLiteAccess
import TrackEngine

/// Whether the rows of pages are encrypted or unencrypted.
struct RowCount {
    private var decoder = RowDecoder()
    private(set) var hasSealed = false
    private(set) var hasPlain = false

    /// Counts the rows that are complete on a page.
    mutating func take(_ page: UnsafeRawBufferPointer, isFirst: Bool) {
        let isWhole =
            LeafPage.isMarked(page, isFirst: isFirst)
            && LeafPage.forEachCell(in: page, isFirst: isFirst) { cell in
                if cell.overflow == nil { take(cell.rowid, cell.local) }
            }
        if !isWhole { RowScan.forEachCell(in: page) { take($0.rowid, $0.local) } }
    }

    private mutating func take(_ rowid: Int64, _ row: UnsafeRawBufferPointer) {
        guard decoder.decode(row) else { return }
        let id: ColumnValue
        switch RowKind(rowid: rowid, decoder.values) {
        case .record: id = decoder.values[1]
        case .letter: id = decoder.values[6]
        case .named, .lastSequence, .unknown: return
        }
        guard case .blob(let bytes) = id else { return }
        if bytes.isEmpty { hasSealed = true } else { hasPlain = true }
    }
}

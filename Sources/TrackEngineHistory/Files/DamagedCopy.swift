import SQLiteAccess
import TrackEngine

/// A damaged database that a rewrite replaced (see ``HistoryFiles/damagedCopies``).
///
/// All its readable rows are in the history, so only its unreadable pages are of use. When a device's points are
/// removed, everything else is overwritten, and so are the unreadable pages that may hold points of that device. The
/// pages above them tell to which devices an unreadable page may belong.
struct DamagedCopy {
    let path: String
    let tables: HistoryTableSet

    /// The result of forgetting a device.
    struct Outcome {
        /// The number of unreadable pages that are left.
        var kept = 0
        /// The number of unreadable pages that were overwritten although they may hold points of other devices.
        var lost = 0
    }

    /// Overwrites everything except unreadable pages of other devices.
    ///
    /// - Parameters:
    ///   - device: the number of the device in the history.
    ///   - name: its name. Where the copy has another one for the number, any page may be the device's.
    func forget(_ device: Int64, named name: String) throws -> Outcome {
        let pages = try DatabasePages(
            database: ReadOnlyFile(path), log: WriteAheadLog(path: path + "-wal"))
        let found = try Contents(pages)
        var outcome = Outcome()
        let isKnown = try SalvagedNames(pages: pages, tables: tables).isDevice(device, named: name) ?? true
        var kept: Set<Int> = []
        for page in found.unreadable {
            let owners = found.owners[page] ?? found.devices
            if !isKnown || owners.contains(device) {
                if owners != device...device { outcome.lost += 1 }
            } else {
                kept.insert(Int(page))
            }
        }
        outcome.kept = kept.count
        guard !kept.isEmpty else { return outcome }
        try DatabaseFile.replaceBlocks(of: path, size: pages.pageSize) { index, block in
            let number = index + 1
            // The first page and the pointer map hold no rows.
            if number == 1 || kept.contains(number) || pages.isPointerMap(UInt32(number)) { return nil }
            return block.withUnsafeBytes { Self.skeleton($0) }
        }
        try DatabaseFile.erase(path + "-wal")
        return outcome
    }

    /// Returns a page with nothing except the devices of its rows and the numbers of the pages below, or zeros where
    /// it has none.
    private static func skeleton(_ page: UnsafeRawBufferPointer) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: page.count)
        guard page.first == 0x02, let count = FileFormat.short(page, at: 3), 12 + 2 * count <= page.count else {
            return bytes
        }
        bytes.replaceSubrange(..<(12 + 2 * count), with: page[..<(12 + 2 * count)])
        var decoder = RowDecoder()
        let isWhole = IndexPage.forEachCell(in: page) { cell in
            guard let base = page.baseAddress, let start = cell.local.baseAddress,
                cell.overflow != nil || decoder.decode(cell.local),
                let (head, _) = FileFormat.variable(cell.local, at: 0),
                let (type, _) = FileFormat.variable(cell.local, at: 1), let width = Contents.width(ofInteger: type)
            else { return }
            let offset = base.distance(to: start)
            // The page below, the length of the row, its types and its device.
            let begin = max(0, offset - 4 - (cell.length < 128 ? 1 : cell.length < 16_384 ? 2 : 3))
            let end = min(offset + Int(clamping: head) + width, page.count)
            bytes.replaceSubrange(begin..<end, with: page[begin..<end])
        }
        return isWhole ? bytes : [UInt8](repeating: 0, count: page.count)
    }
}

extension DamagedCopy {
    /// The unreadable pages of a database, and the devices to which they may belong.
    private struct Contents {
        var unreadable: [UInt32] = []
        /// The devices between the rows beside a page, as far as the page above it can be read.
        var owners: [UInt32: ClosedRange<Int64>] = [:]
        /// All devices that have readable rows.
        var devices: ClosedRange<Int64> = .min ... .max

        init(_ pages: DatabasePages) throws {
            var decoder = RowDecoder()
            var all: ClosedRange<Int64>?
            var bounds: [UInt32: (low: Int64?, high: Int64?)] = [:]
            try pages.visit { number, page in
                guard number != .max else { return }
                guard IndexPage.isMarked(page) else {
                    if try pages.isUnreadable(number, page) { unreadable.append(number) }
                    return
                }
                var found: [Int64?] = []
                let isWhole = IndexPage.forEachCell(in: page) { cell in
                    // A row with parts on other pages begins with its device, too.
                    let device = Self.device(cell.local)
                    let isRow = cell.overflow != nil ? device != nil : decoder.decode(cell.local)
                    found.append(isRow ? device : nil)
                    if isRow, let device {
                        all = min(all?.lowerBound ?? device, device)...max(all?.upperBound ?? device, device)
                    }
                }
                guard isWhole else { return unreadable.append(number) }
                for (index, child) in (InteriorPage.children(of: page) ?? []).enumerated() {
                    bounds[child] = (index > 0 ? found[index - 1] : nil, index < found.count ? found[index] : nil)
                }
            }
            devices = all ?? devices
            for (page, bound) in bounds {
                let low = bound.low ?? devices.lowerBound
                let high = bound.high ?? devices.upperBound
                if low <= high { owners[page] = low...high }
            }
        }

        /// The first column of a row, if it is an integer.
        private static func device(_ row: UnsafeRawBufferPointer) -> Int64? {
            guard let (head, _) = FileFormat.variable(row, at: 0), let (type, _) = FileFormat.variable(row, at: 1),
                let width = width(ofInteger: type)
            else { return nil }
            return width == 0 ? type - 8 : FileFormat.integer(row, at: Int(clamping: head), width: width)
        }

        /// The length of an integer of a type (file format, section 2.1); `nil` for another type.
        static func width(ofInteger type: Int64) -> Int? {
            switch type {
            case 1...6: [1, 2, 3, 4, 6, 8][Int(type) - 1]
            case 8, 9: 0
            case _: nil
            }
        }
    }
}

package import TrackEngine

/// The pages of a database file and its log, as of the last commit, read without SQLite.
package final class DatabasePages {
    private static let blockLength = 1 << 18

    private let file: ReadOnlyFile?
    private let log: WriteAheadLog?
    package let pageSize: Int
    private var pointerMap = PointerMap()
    /// The answer of ``lacksPointerMap()``, read once.
    private var hasNoMap: Bool?

    /// - Parameter log: the database's log, read before SQLite could remove it; `nil` if there is none.
    package init(database: ReadOnlyFile?, log: WriteAheadLog?) throws(StoreError) {
        file = database
        self.log = log
        let sample = try database?.bytes(at: 0, count: Self.blockLength) ?? []
        let named = sample.withUnsafeBytes { PageSize.named(by: $0) }
        if let log, !log.committed.isEmpty {
            pageSize = log.pageSize
        } else {
            let sizes = [PageSize.own] + (named.map { [$0] } ?? [])
            pageSize = sample.withUnsafeBytes { PageSize.mostLikely(of: sizes, for: $0) }
        }
    }

    /// Visits all pages in order, except those that the database has marked as free. Pages after damage in the log
    /// come last, because the first copy of a duplicate row is used.
    package func visit(_ body: (_ number: UInt32, _ page: UnsafeRawBufferPointer) throws -> Void) throws {
        let committed = log?.committed ?? [:]
        let inFile = UInt32(clamping: (file?.size ?? 0) / Int64(pageSize))
        var offset: Int64 = 0
        var number: UInt32 = 0
        let length = max(1, Self.blockLength / pageSize) * pageSize
        while let file, number < inFile {
            let block = try file.bytes(at: offset, count: length)
            guard block.count >= pageSize else { break }
            for start in stride(from: 0, to: block.count - pageSize + 1, by: pageSize) {
                number += 1
                if try isFree(number) { continue }
                if committed[number] != nil {
                    try withPage(number) { try body(number, $0) }
                } else {
                    try block.withUnsafeBytes {
                        try body(number, UnsafeRawBufferPointer(rebasing: $0[start..<start + pageSize]))
                    }
                }
            }
            offset += Int64(block.count)
        }
        for number in committed.keys.filter({ $0 > inFile }).sorted() {
            if try !isFree(number) { try withPage(number) { try body(number, $0) } }
        }
        try visitStranded { try body(.max, $0) }
    }

    /// Visits the pages after damage in the log.
    package func visitStranded(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        guard let log else { return }
        for offset in log.stranded {
            try log.file.bytes(at: offset, count: log.pageSize).withUnsafeBytes { try body($0) }
        }
    }

    /// A complete row: the part on its leaf, and the chain of overflow pages (file format, section 1.7); `nil` if the
    /// chain ends too early.
    package func whole(_ cell: LeafCell) throws -> [UInt8]? {
        var row = Array(cell.local)
        var next = cell.overflow ?? 0
        // Each page adds bytes, so a circular chain ends with the row.
        while row.count < cell.length {
            guard next > 0, let page = try bytes(of: next), page.count == pageSize else { return nil }
            page.withUnsafeBytes { page in
                next = FileFormat.word(page, at: 0) ?? 0
                row += page[4..<min(pageSize, 4 + cell.length - row.count)]
            }
        }
        return row
    }

    /// The number of pages that exist.
    var pageCount: UInt32 {
        max(UInt32(clamping: (file?.size ?? 0) / Int64(pageSize)), log?.committed.keys.max() ?? 0)
    }

    /// Whether the file ends before the last page that its header counts (file format, section 1.3.8).
    package func isCutOff() throws(StoreError) -> Bool { try pageCountInHeader() ?? 0 > pageCount }

    /// The number of pages that the header counts; `nil` without a header.
    func pageCountInHeader() throws(StoreError) -> UInt32? { try headerWord(at: 28) }

    /// Whether the header has the largest root, as those have that keep a pointer map (file format, section 1.3.12).
    func hasPointerMap() throws(StoreError) -> Bool { try headerWord(at: 52) ?? 0 > 0 }

    /// Whether the header tells that there is no pointer map; a damaged header tells nothing.
    package func lacksPointerMap() throws(StoreError) -> Bool { try headerWord(at: 52) == 0 }

    private func headerWord(at offset: Int) throws(StoreError) -> UInt32? {
        guard let first = try bytes(of: 1), first.starts(with: Array("SQLite format 3".utf8)) else { return nil }
        return first.withUnsafeBytes { FileFormat.word($0, at: offset) }
    }

    private func withPage(_ number: UInt32, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        guard let page = try bytes(of: number), page.count == pageSize else { return }
        try page.withUnsafeBytes { try body($0) }
    }

    /// A page, counted from 1; shorter or `nil` if it does not exist.
    package func bytes(of number: UInt32) throws(StoreError) -> [UInt8]? {
        guard number > 0 else { return nil }
        if let log, let offset = log.committed[number] {
            return try log.file.bytes(at: offset, count: pageSize)
        }
        return try file?.bytes(at: Int64(number - 1) * Int64(pageSize), count: pageSize)
    }
}

// MARK: - Free pages

extension DatabasePages {
    /// The last page of the pointer map that was read.
    private struct PointerMap {
        var number: UInt32 = 0
        var bytes: [UInt8] = []
    }

    /// Whether the database has marked a page as free. Rows on such a page were deleted.
    ///
    /// The pointer map (file format, section 1.8) has five bytes for each page, beginning at page 2; its first entry,
    /// for page 3, is the root of a table (type 1, no parent). Type 2 is a free page. If the map itself is damaged, no
    /// page counts as free: deleted rows return then, which repeats a delivery but loses no record.
    private func isFree(_ number: UInt32) throws -> Bool {
        try mapped(number) == 2
    }

    /// Whether a page belongs to a tree according to the pointer map, but is not marked as a page of one.
    package func isUnreadable(_ number: UInt32, _ page: UnsafeRawBufferPointer) throws(StoreError) -> Bool {
        guard let kind = try mapped(number), kind == 1 || kind == 5 else { return false }
        return ![0x02, 0x05, 0x0a, 0x0d].contains(page.first)
    }

    /// The type of a page according to the pointer map: 1 for the root of a tree, 2 for a free page, 3 and 4 for the
    /// rest of a row, 5 for another page of a tree; `nil` where the map is damaged.
    package func mapped(_ number: UInt32) throws(StoreError) -> UInt8? {
        try entry(of: number).map { pointerMap.bytes[$0] }
    }

    /// The page above a page of a tree according to the pointer map; `nil` for a root, and where the map is damaged.
    func parent(of number: UInt32) throws(StoreError) -> UInt32? {
        guard let entry = try entry(of: number), pointerMap.bytes[entry] == 5 else { return nil }
        return pointerMap.bytes.withUnsafeBytes { FileFormat.word($0, at: entry + 1) }
    }

    /// The offset of a page's entry in the part of the map that it reads for that.
    private func entry(of number: UInt32) throws(StoreError) -> Int? {
        guard number > 2 else { return nil }
        if hasNoMap == nil { hasNoMap = try lacksPointerMap() }
        guard hasNoMap == false else { return nil }
        let entries = UInt32(pageSize / 5)
        let map = (number - 2) / (entries + 1) * (entries + 1) + 2
        if map != pointerMap.number {
            pointerMap = PointerMap(number: map, bytes: try bytes(of: map) ?? [])
            if map == 2 && !pointerMap.bytes.starts(with: [1, 0, 0, 0, 0]) { pointerMap.bytes = [] }
        }
        guard number > map else { return nil }
        let offset = Int(number - map - 1) * 5
        return offset < pointerMap.bytes.count ? offset : nil
    }
}

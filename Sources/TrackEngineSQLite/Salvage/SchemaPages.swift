import SQLiteAccess

/// The tables in a database and its log together, read without SQLite, which would change both files.
struct SchemaPages {
    /// The maximum number of pages of a schema that is read.
    private static let mostPages = 256

    let pages: DatabasePages

    /// The contents of one page of the schema's b-tree.
    private struct Part {
        var tables: [String] = []
        var children: [UInt32] = []
    }

    /// The names of the tables except SQLite's own; `nil` if not every page can be read.
    func tables() throws -> [String]? {
        var tables: [String] = []
        var waiting: [UInt32] = [1]
        var count = 0
        while let number = waiting.popLast() {
            count += 1
            guard count <= Self.mostPages, let page = try pages.bytes(of: number), page.count == pages.pageSize,
                let part = try page.withUnsafeBytes({ try part($0, isFirst: number == 1) })
            else { return nil }
            tables += part.tables
            waiting += part.children
        }
        return tables.filter { !$0.hasPrefix("sqlite_") }
    }

    private func part(_ page: UnsafeRawBufferPointer, isFirst: Bool) throws -> Part? {
        LeafPage.isMarked(page, isFirst: isFirst)
            ? try leaf(page, isFirst: isFirst) : interior(page, at: isFirst ? 100 : 0)
    }

    /// The columns of `sqlite_schema` are type, name, tbl_name, rootpage and sql (file format, section 2.6).
    private func leaf(_ page: UnsafeRawBufferPointer, isFirst: Bool) throws -> Part? {
        var part = Part()
        var decoder = RowDecoder()
        var isReadable = true
        let isWhole = try LeafPage.forEachCell(in: page, isFirst: isFirst) { cell in
            guard let row = try pages.whole(cell) else {
                isReadable = false
                return
            }
            row.withUnsafeBytes { row in
                guard decoder.decode(row), decoder.values.count == 5, let type = decoder.values[0].string,
                    let name = decoder.values[1].string
                else {
                    isReadable = false
                    return
                }
                if type == "table" { part.tables.append(name) }
            }
        }
        return isWhole && isReadable ? part : nil
    }

    /// An interior page has 12 bytes of header with the last child, and cells that begin with a child (section 1.6).
    private func interior(_ page: UnsafeRawBufferPointer, at start: Int) -> Part? {
        guard page.count > start, page[start] == 0x05, let count = FileFormat.short(page, at: start + 3),
            let last = FileFormat.word(page, at: start + 8)
        else { return nil }
        var part = Part(children: [last])
        for index in 0..<count {
            guard let offset = FileFormat.short(page, at: start + 12 + 2 * index),
                let child = FileFormat.word(page, at: offset)
            else { return nil }
            part.children.append(child)
        }
        return part
    }
}

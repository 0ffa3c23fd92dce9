/// The rows next to those of a page in the order of its tree, which is that of an index or of a table without row ids.
///
/// A tree is read in order: the rows below a page's first child, its first row, those below its second child, and so
/// on (file format, section 1.6).
extension DatabasePages {
    /// More levels are damage: with two children at least, a tree of 32 levels has more pages than a file.
    static let mostLevels = 32

    /// The rows before and after those of a page and below it, which are on the pages above; `nil` at the ends of the
    /// tree and where those pages are damaged.
    package func neighbours(of number: UInt32) throws -> (before: [UInt8]?, after: [UInt8]?) {
        var found: (before: [UInt8]?, after: [UInt8]?)
        var number = number
        for _ in 0..<Self.mostLevels {
            guard found.before == nil || found.after == nil, let parent = try parent(of: number),
                let page = try bytes(of: parent), page.count == pageSize,
                let index = page.withUnsafeBytes({ InteriorPage.children(of: $0) })?.firstIndex(of: number)
            else { break }
            found.before = try found.before ?? rows([index - 1], on: page).first
            found.after = try found.after ?? rows([index], on: page).first
            number = parent
        }
        return found
    }

    /// The first two rows below a page, or the last two.
    package func rows(atEnd isLast: Bool, below number: UInt32) throws -> [[UInt8]] {
        var number = number
        for _ in 0..<Self.mostLevels {
            guard let page = try bytes(of: number), page.count == pageSize else { break }
            guard let children = page.withUnsafeBytes({ InteriorPage.children(of: $0) }) else {
                let count = page.withUnsafeBytes { FileFormat.short($0, at: 3) } ?? 0
                return try rows(isLast ? max(0, count - 2)..<count : 0..<min(2, count), on: page)
            }
            number = children[isLast ? children.count - 1 : 0]
        }
        return []
    }

    /// The readable ones of the rows with these places on a page.
    private func rows(_ places: some Collection<Int>, on page: [UInt8]) throws -> [[UInt8]] {
        try page.withUnsafeBytes { page in
            guard IndexPage.isMarked(page) else { return [] }
            var rows: [[UInt8]] = []
            _ = try IndexPage.forEachCell(in: page) { cell in
                if places.contains(cell.index), let row = try whole(cell) { rows.append(row) }
            }
            return rows
        }
    }
}

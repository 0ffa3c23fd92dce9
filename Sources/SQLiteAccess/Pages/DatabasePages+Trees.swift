package import TrackEngine

/// A check of the inner pages of all trees: about a hundredth of a database, and the pointer map.
///
/// SQLite notices damage of a page when it reads a row below it, and takes a root that lost its mark as an inner page for
/// a short table.
extension DatabasePages {
    /// Returns the roots of the trees of which an inner page does not have the pages below it that the pointer map
    /// gives it (file format, section 1.8), or has rows out of order, and those that are damaged leaves. That of the
    /// schema, page 1, is not among them.
    package func damagedRoots() throws(StoreError) -> Set<UInt32> {
        guard try hasPointerMap() else { return [] }
        let (roots, children) = try mappedTrees()
        var damaged: Set<UInt32> = []
        for root in roots where children[root] == nil {
            let isWhole = try bytes(of: root)?.withUnsafeBytes { Self.isWholeLeaf($0) }
            if isWhole != true { damaged.insert(root) }
        }
        for (number, count) in children where number != 1 {
            let below = Set(try pages(below: number))
            var isSound = below.count == count
            for child in below where isSound { isSound = try parent(of: child) == number }
            if isSound { isSound = try isInOrder(number) }
            if !isSound, let root = try root(above: number) { damaged.insert(root) }
        }
        return damaged
    }

    /// The roots of the pointer map, and the number of pages that it has below each inner page.
    private func mappedTrees() throws(StoreError) -> (roots: Set<UInt32>, children: [UInt32: Int]) {
        var roots: Set<UInt32> = []
        var children: [UInt32: Int] = [:]
        var number: UInt32 = 3
        // Behind the last page that the header counts, the map may be of an earlier time.
        let last = min(try pageCountInHeader() ?? 0, pageCount)
        while number <= last {
            switch try mapped(number) {
            case 1: roots.insert(number)
            case 5: if let parent = try parent(of: number) { children[parent, default: 0] += 1 }
            case _: break
            }
            number += 1
        }
        return (roots, children)
    }

    /// Whether the rows of an inner page come one after the other, and between those of the pages above: a wrong one
    /// leads an addition to a page on which no query finds it.
    private func isInOrder(_ number: UInt32) throws(StoreError) -> Bool {
        guard let page = try bytes(of: number), page.first == 0x02 else { return true }
        do {
            let around = try neighbours(of: number)
            var rows = around.before.map { [$0] } ?? []
            let isWhole = page.withUnsafeBytes { IndexPage.forEachCell(in: $0) { rows.append(Array($0.local)) } }
            if let after = around.after { rows.append(after) }
            return isWhole && RowDecoder.areInOrder(rows)
        } catch { throw StoreError(database: error) }
    }

    private static func isWholeLeaf(_ page: UnsafeRawBufferPointer) -> Bool {
        switch page.first {
        case 0x0a: IndexPage.forEachCell(in: page) { _ in }
        case 0x0d: LeafPage.forEachCell(in: page, isFirst: false) { _ in }
        case _: false
        }
    }

    private func pages(below number: UInt32) throws(StoreError) -> [UInt32] {
        guard let page = try bytes(of: number), page.count == pageSize else { return [] }
        return page.withUnsafeBytes { InteriorPage.children(of: $0) } ?? []
    }

    private func root(above number: UInt32) throws(StoreError) -> UInt32? {
        var number = number
        for _ in 0..<Self.mostLevels {
            if try mapped(number) == 1 { return number }
            guard let parent = try parent(of: number) else { return nil }
            number = parent
        }
        return nil
    }
}

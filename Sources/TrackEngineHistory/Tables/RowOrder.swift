/// Finds the damaged rows among rows that are ordered by time: those whose time does not fit between their
/// neighbours, as after a flipped bit.
///
/// One row is held back until the next one is known. When that one is earlier, one of the two is damaged: the row
/// after them decides which one.
struct RowOrder<Value> {
    /// A row; its value is `nil` when it cannot be read.
    struct Entry {
        let time: Int64
        let value: Value?
    }

    /// The most consecutive rows that are taken for damaged before the time of the row before them is doubted.
    private static var mostStrays: Int { 3 }

    /// The time of the last row that was handed over.
    private var last: Int64?
    /// The row that is held back.
    private var pending: Entry?
    /// An earlier row after it, while it is not known which of the two is damaged.
    private var doubtful: Entry?
    /// The number of damaged rows after `pending`.
    private var strays = 0

    /// Calls a function with each damaged row.
    var misplaced: (Entry) -> Void = { _ in }
    /// Calls a function with the times of the rows before and after damaged ones.
    var gap: (Range<Int64>) -> Void = { _ in }

    /// Takes the next row. Returns a row that is in order, when there is one.
    mutating func take(_ next: Entry) -> Entry? {
        guard RowSearch.possible.contains(next.time) else {
            stray(next)
            return nil
        }
        guard let first = pending else {
            if strays > 0 { noteGap(last ?? next.time - 1, next.time) }
            (pending, strays) = (next, 0)
            return nil
        }
        if let second = doubtful {
            doubtful = nil
            // With the first one, the second one is out of order; otherwise the other two agree.
            if next.time >= first.time, first.value != nil {
                stray(second)
                return accept(next, after: first)
            }
            misplaced(first)
            noteGap(last ?? second.time - 1, second.time)
            (pending, strays) = (second, 0)
            return take(next)
        }
        if next.time >= first.time { return accept(next, after: first) }
        if let last, next.time < last, strays < Self.mostStrays { stray(next) } else { doubtful = next }
        return nil
    }

    /// Notes a row without a time.
    mutating func stray(_ row: Entry) {
        misplaced(row)
        strays += 1
    }

    /// Rows of a page with the contents of another one may be earlier than any row before.
    private func noteGap(_ first: Int64, _ second: Int64) { gap(min(first, second)..<max(first, second)) }

    private mutating func accept(_ next: Entry, after first: Entry) -> Entry {
        if strays > 0 { noteGap(first.time, next.time) }
        (last, pending, strays) = (first.time, next, 0)
        return first
    }

    /// Returns the last row that is in order, after all rows were taken.
    mutating func finish() -> Entry? {
        if let first = pending, let second = doubtful {
            misplaced(first)
            noteGap(last ?? second.time - 1, second.time)
            (pending, doubtful, strays) = (second, nil, 0)
        }
        if strays > 0, let time = pending?.time ?? last { noteGap(time, time + 1) }
        defer { (last, pending, strays) = (pending?.time ?? last, nil, 0) }
        return pending
    }
}

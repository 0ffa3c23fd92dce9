/// The times of the last rows of a reading, more than a page of SQLite's default size has.
struct RowTimeWindow {
    /// A row takes 28 bytes at least, so a page of 4,096 bytes has 146.
    private static var capacity: Int { 160 }

    private var recent: [Int64] = []
    private var isWhole = true

    mutating func take(_ time: Int64) {
        recent.append(time)
        guard recent.count == 2 * Self.capacity else { return }
        recent.removeFirst(Self.capacity)
        isWhole = false
    }

    /// Returns the last times after a time, and whether these are all that the reading had there.
    func times(after time: Int64) -> (times: [Int64], isWhole: Bool) {
        let later = recent.filter { $0 > time }
        return (later.suffix(Self.capacity), isWhole && later.count <= Self.capacity)
    }
}

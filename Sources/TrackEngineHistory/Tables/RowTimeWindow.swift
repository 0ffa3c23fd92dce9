/// The times of the last rows of a reading, more than a page of SQLite's default size has.
struct RowTimeWindow {
    /// A row takes 20 bytes at least (header 17, length 1, pointer 2), so a page of 4,096 bytes has 204.
    private static var capacity: Int { 205 }

    private var recent: [Int64] = []
    private var isWhole = true

    mutating func take(_ time: Int64) {
        recent.append(time)
        guard recent.count == 2 * Self.capacity else { return }
        recent.removeFirst(Self.capacity)
        isWhole = false
    }

    /// Returns the last times between two others, and whether these are all that the reading had there.
    func times(after time: Int64, before end: Int64) -> (times: [Int64], isWhole: Bool) {
        let between = recent.filter { $0 > time && $0 < end }
        return (between.suffix(Self.capacity), isWhole && between.count <= Self.capacity)
    }
}

/// The receivers that gpsd has reported and not removed: the newest ``bound`` of them.
///
/// gpsd itself has only a few. The bound keeps a peer that reports new ones endlessly from filling the memory.
struct DeviceTable: Sendable {
    /// The maximum number of receivers; a new one replaces the oldest.
    static let bound = 64

    /// The paths, the newest last, each once.
    private(set) var paths: [String] = []

    /// Whether gpsd has no receiver.
    var isEmpty: Bool { paths.isEmpty }

    /// Adds a receiver as the newest.
    mutating func insert(_ path: String) {
        remove(path)
        if paths.count >= Self.bound { paths.removeFirst() }
        paths.append(path)
    }

    /// Removes a receiver.
    mutating func remove(_ path: String) {
        paths.removeAll { $0 == path }
    }

    /// Replaces all receivers with these, and returns those that were removed.
    mutating func replaceAll(with list: [String]) -> [String] {
        let gone = Set(paths).subtracting(list)
        paths = []
        for path in list.suffix(Self.bound) { insert(path) }
        return Array(gone)
    }
}

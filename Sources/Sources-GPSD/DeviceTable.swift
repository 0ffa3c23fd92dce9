/// The receivers that gpsd has named and not taken back: the newest ``bound`` of them.
///
/// gpsd itself serves a handful. The bound keeps a peer that names new ones without end from filling the memory.
struct DeviceTable: Sendable {
    /// How many receivers are remembered; the oldest one is forgotten for the next.
    static let bound = 64

    /// The paths, the newest last, each once.
    private(set) var paths: [String] = []

    /// Whether gpsd has no receiver.
    var isEmpty: Bool { paths.isEmpty }

    /// Remembers a receiver as the newest.
    mutating func insert(_ path: String) {
        remove(path)
        if paths.count >= Self.bound { paths.removeFirst() }
        paths.append(path)
    }

    /// Forgets a receiver.
    mutating func remove(_ path: String) {
        paths.removeAll { $0 == path }
    }

    /// Remembers these receivers instead of all others, and returns those that have gone.
    mutating func replaceAll(with list: [String]) -> [String] {
        let gone = Set(paths).subtracting(list)
        paths = []
        for path in list.suffix(Self.bound) { insert(path) }
        return Array(gone)
    }
}

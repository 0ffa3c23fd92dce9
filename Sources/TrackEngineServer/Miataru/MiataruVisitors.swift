import TrackEngine

/// The latest visits, that is, requests for the place of a device, each asking id once.
struct MiataruVisitors: Sendable {
    struct Visit: Sendable, Hashable {
        let asker: String
        let time: Timestamp
    }

    /// How many of each device are kept.
    static let limit = 10

    private var visits: [String: [Visit]] = [:]

    mutating func note(_ asker: String, asks id: String, at time: Timestamp) {
        visits[id, default: []].removeAll { $0.asker == asker }
        visits[id, default: []].insert(Visit(asker: asker, time: time), at: 0)
        if visits[id, default: []].count > Self.limit { visits[id]?.removeLast() }
    }

    /// The newest first.
    func all(of id: String) -> [Visit] { visits[id] ?? [] }

    /// Returns whether there was one.
    mutating func forget(_ id: String) -> Bool { visits.removeValue(forKey: id) != nil }
}

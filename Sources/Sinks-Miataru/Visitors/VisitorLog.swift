package import TrackEngine

/// Of which visitors somebody has been told, and of which visit: a value that decides who is news.
package struct VisitorLog: Sendable, Hashable {
    /// For how long nothing more is told of a visitor, as in Miataru's app.
    package static let quiet = Duration.seconds(86_400)
    /// The most visitors that are remembered. While all of them are of one day, or still named by the server, nobody is told of any
    /// other: nobody is told of twice.
    package static let maximumCount = 256

    package private(set) var told: [String: Timestamp] = [:]
    /// When there were last more than are remembered, as somebody was told; not told again for as long as of a visitor.
    package private(set) var toldOfMore: Timestamp?

    package init() {}

    /// Takes what a server says; returns the visits that are news.
    ///
    /// - Parameters:
    ///   - known: ids that may ask: they are compared without regard to case, because the app changes that.
    ///   - now: a visit that the server dates later is taken to be of this moment.
    package mutating func take(_ visits: [Visit], known: Set<String>, now: Timestamp) -> [Visit] {
        let known = Set(known.map { $0.lowercased() })
        // Servers say the newest first; of several visits the first one is news, and those soon after it are not.
        let named = Set(visits.map(\.id))
        return visits.sorted { $0.time < $1.time }.filter { visit in
            guard !known.contains(visit.id.lowercased()) else { return false }
            let time = min(visit.time, now)
            guard told[visit.id].map({ time.duration(since: $0) >= Self.quiet }) ?? true else { return false }
            guard told[visit.id] != nil || hasRoom(beside: named, at: now) else {
                if toldOfMore.map({ now.duration(since: $0) >= Self.quiet }) ?? true { toldOfMore = now }
                return false
            }
            told[visit.id] = time
            return true
        }
    }

    /// Whether one more can be remembered; the one that was here longest ago is forgotten for that where it is of no use any more.
    private mutating func hasRoom(beside named: Set<String>, at now: Timestamp) -> Bool {
        if told.count < Self.maximumCount { return true }
        let gone = told.filter { !named.contains($0.key) && now.duration(since: $0.value) >= Self.quiet }
        guard let oldest = gone.min(by: { $0.value < $1.value }) else { return false }
        told[oldest.key] = nil
        return true
    }

    private mutating func forgetOldest() {
        guard told.count > Self.maximumCount else { return }
        for (id, _) in told.sorted(by: { $0.value < $1.value }).prefix(told.count - Self.maximumCount) {
            told[id] = nil
        }
    }
}

extension VisitorLog {
    /// Reads a document; `nil` for one that is something else.
    package init?(_ json: [UInt8]) {
        let document = JSONValue(ifReadable: json)
        guard case .object(let members)? = document?["told"] else { return nil }
        for member in members {
            guard let seconds = member.value.number, (0..<1e12).contains(seconds) else { return nil }
            told[member.name] = Timestamp(secondsSince1970: Int64(seconds))
        }
        toldOfMore = document?["toldOfMore"]?.number.flatMap { (0..<1e12).contains($0) ? Int64($0) : nil }.map {
            Timestamp(secondsSince1970: $0)
        }
        forgetOldest()
    }

    /// The document: the second of the visit for each id.
    package var json: [UInt8] {
        let members = told.sorted { $0.key < $1.key }.map { id, time in
            JSONValue.Member(id, .number(Double(time.secondsSince1970)))
        }
        var writer = JSONWriter()
        var document = [JSONValue.Member("told", .object(members))]
        if let toldOfMore { document.append(.init("toldOfMore", .number(Double(toldOfMore.secondsSince1970)))) }
        JSONValue.object(document).write(to: &writer)
        return writer.bytes + [UInt8(ascii: "\n")]
    }
}

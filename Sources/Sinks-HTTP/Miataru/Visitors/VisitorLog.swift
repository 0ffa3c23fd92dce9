package import TrackEngine

/// The visitors that were reported, with the time of the visit. Determines the visits to report.
package struct VisitorLog: Sendable, Hashable {
    /// The time during which a reported visitor is not reported again, as in Miataru's app.
    package static let quiet = Duration.seconds(86_400)
    /// The most visitors in the log. While all of them are less than a day old or still listed by the server, no
    /// other visitor is reported; so no visit is reported twice.
    package static let maximumCount = 256

    package private(set) var told: [String: Timestamp] = [:]
    /// The time of the last report that the log is full; it is repeated no more often than that of a visitor.
    package private(set) var toldOfMore: Timestamp?

    package init() {}

    /// Applies the visits of a server's reply; returns those to report.
    ///
    /// - Parameters:
    ///   - known: ids that may request the position. They are compared without regard to case, because the app
    ///     changes it.
    ///   - now: the current time, which replaces a later time of the server.
    package mutating func take(_ visits: [VisitorEntry], known: Set<String>, now: Timestamp) -> [VisitorEntry] {
        let known = Set(known.map { $0.lowercased() })
        // Servers list the newest first. Of several visits the first one is reported, and those soon after it are
        // not.
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

    /// Makes room for one more visitor; the oldest one is removed if it is no longer needed. Returns `false` if
    /// there is no room.
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

    /// Parses a document; `nil` for an invalid one.
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

    /// The document: the time of the visit in seconds, for each id.
    package var json: [UInt8] {
        let members = told.sorted { $0.key < $1.key }.map { id, time in
            JSONValue.Member(id, .number(Double(time.secondsSince1970)))
        }
        var document = [JSONValue.Member("told", .object(members))]
        if let toldOfMore { document.append(.init("toldOfMore", .number(Double(toldOfMore.secondsSince1970)))) }
        return JSONValue.object(document).bytes + [UInt8(ascii: "\n")]
    }
}

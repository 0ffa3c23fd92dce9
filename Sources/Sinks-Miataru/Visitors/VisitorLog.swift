package import TrackEngine

/// Of which visitors somebody has been told, and of which visit: a value that decides who is news.
package struct VisitorLog: Sendable, Hashable {
    /// For how long nothing more is told of a visitor, as in Miataru's app.
    package static let quiet = Duration.seconds(86_400)
    /// The most visitors that are remembered; the one that was here longest ago is forgotten first.
    package static let maximumCount = 256

    package private(set) var told: [String: Timestamp] = [:]

    package init() {}

    /// Takes what a server says; returns the visits that are news.
    ///
    /// - Parameters:
    ///   - known: ids that may ask: they are compared without regard to case, because the app changes that.
    ///   - now: a visit that the server dates later is taken to be of this moment.
    package mutating func take(_ visits: [Visit], known: Set<String>, now: Timestamp) -> [Visit] {
        let known = Set(known.map { $0.lowercased() })
        // Servers say the newest first; of several visits the first one is news, and those soon after it are not.
        let news = visits.sorted { $0.time < $1.time }.filter { visit in
            guard !known.contains(visit.id.lowercased()) else { return false }
            let time = min(visit.time, now)
            guard told[visit.id].map({ time.duration(since: $0) >= Self.quiet }) ?? true else { return false }
            told[visit.id] = time
            return true
        }
        forgetOldest()
        return news
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
        guard case .object(let members)? = JSONValue(ifReadable: json)?["told"] else { return nil }
        for member in members {
            guard let seconds = member.value.number, (0..<1e12).contains(seconds) else { return nil }
            told[member.name] = Timestamp(secondsSince1970: Int64(seconds))
        }
        forgetOldest()
    }

    /// The document: the second of the visit for each id.
    package var json: [UInt8] {
        let members = told.sorted { $0.key < $1.key }.map { id, time in
            JSONValue.Member(id, .number(Double(time.secondsSince1970)))
        }
        var writer = JSONWriter()
        JSONValue.object([.init("told", .object(members))]).write(to: &writer)
        return writer.bytes + [UInt8(ascii: "\n")]
    }
}

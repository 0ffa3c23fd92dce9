import TrackEngine

/// How many lines of the audit log each author has: ``mostOfDay`` on a day (UTC). Further entries are counted, and
/// their number is written once an hour. So nobody can add entries until those of others are the oldest, and go.
struct AuditShares: Sendable {
    /// The most entries of an author on a day that have a line each: an author takes weeks to fill the log.
    static let mostOfDay = 100

    private struct Share: Sendable {
        var day: Int64 = 0
        var lines = 0
        var hour: Int64 = 0
        var unwritten = 0
    }

    private var shares: [String: Share] = [:]

    /// Counts an entry.
    ///
    /// - Returns: the texts of the lines that it adds, with their authors, the entry among them if it has a line.
    mutating func lines(for entry: AuditEntry, of author: String, at time: Timestamp) -> [AuditEntry] {
        let hour = time.secondsSince1970 / 3_600
        let day = hour / 24
        var lines = countsOfHours(before: hour)
        shares = shares.filter { $1.day == day }
        var share = shares[author] ?? Share(day: day)
        share.hour = hour
        if share.lines < Self.mostOfDay {
            share.lines += 1
            lines.append(entry)
        } else {
            share.unwritten += 1
            if share.lines == Self.mostOfDay {
                share.lines += 1
                lines.append(AuditEntry(who: author, what: "further entries of this day are counted"))
            }
        }
        shares[author] = share
        return lines
    }

    /// The numbers of entries without a line, of hours that are over.
    private mutating func countsOfHours(before hour: Int64) -> [AuditEntry] {
        var lines: [AuditEntry] = []
        for (author, share) in shares.sorted(by: { $0.key < $1.key }) where share.hour < hour && share.unwritten > 0 {
            lines.append(AuditEntry(who: author, what: "\(share.unwritten) more entries"))
            shares[author]?.unwritten = 0
        }
        return lines
    }
}

/// An entry of the audit log without its time.
struct AuditEntry: Sendable {
    /// The viewer, or the address that a request came from.
    let who: String
    let what: String
}

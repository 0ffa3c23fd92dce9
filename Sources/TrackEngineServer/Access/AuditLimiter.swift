import TrackEngine

/// Limits the lines of the audit log: an owner has ``mostOfDay`` lines a day (UTC) for each kind of entry. Further
/// entries are counted, and their number is written once an hour, so they cannot displace other entries.
package struct AuditLimiter: Sendable {
    /// The owner of a share.
    package struct Owner: Sendable, Hashable {
        /// The viewer; `nil` for all others together, whose addresses are as many as they like.
        let viewer: String?
        let kind: Kind

        package enum Kind: String, Sendable { case changes, deletions, sessions, failures }

        package init(viewer: String?, kind: Kind) {
            self.viewer = viewer
            self.kind = kind
        }

        fileprivate var name: String { viewer ?? (kind == .failures ? "several" : "the key") }
    }

    /// The most entries of an owner on a day that have a line each; an owner takes weeks to fill the log.
    static let mostOfDay = 100

    private struct Share: Sendable {
        var day: Int64 = 0
        var lines = 0
        var hour: Int64 = 0
        var unwritten = 0
    }

    private var shares: [Owner: Share] = [:]

    /// Counts an entry.
    ///
    /// - Returns: the texts of the lines that it adds, with their authors, the entry among them if it has a line.
    mutating func lines(for entry: AuditEntry, of owner: Owner, at time: Timestamp) -> [AuditEntry] {
        let hour = time.secondsSince1970 / 3_600
        let day = hour / 24
        var lines = countsOfHours(before: hour)
        shares = shares.filter { $1.day == day }
        var share = shares[owner] ?? Share(day: day)
        share.hour = hour
        if share.lines < Self.mostOfDay {
            share.lines += 1
            lines.append(entry)
        } else {
            share.unwritten += 1
            if share.lines == Self.mostOfDay {
                share.lines += 1
                lines.append(
                    AuditEntry(who: owner.name, what: "further \(owner.kind.rawValue) of this day are counted"))
            }
        }
        shares[owner] = share
        return lines
    }

    /// The numbers of entries without a line, of hours that are over.
    private mutating func countsOfHours(before hour: Int64) -> [AuditEntry] {
        var lines: [AuditEntry] = []
        for (owner, share) in shares where share.hour < hour && share.unwritten > 0 {
            lines.append(AuditEntry(who: owner.name, what: "\(share.unwritten) more \(owner.kind.rawValue)"))
            shares[owner]?.unwritten = 0
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

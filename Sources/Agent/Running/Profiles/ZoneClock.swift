import Foundation
package import TrackEngine

/// The clock on the wall of a zone: how far it is from Greenwich's, and when that changes next.
package struct ZoneClock: Sendable {
    /// How far the zone's clock is ahead of Greenwich's at a moment, in seconds.
    package let offset: @Sendable (Timestamp) -> Int64
    /// When that changes after a moment; `nil` where nobody knows of a change.
    package let nextChange: @Sendable (Timestamp) -> Timestamp?

    package init(
        offset: @escaping @Sendable (Timestamp) -> Int64, nextChange: @escaping @Sendable (Timestamp) -> Timestamp?
    ) {
        (self.offset, self.nextChange) = (offset, nextChange)
    }

    /// The clock of a zone by its IANA name, or of the machine's zone; `nil` for a name that nobody knows.
    package init?(named name: String?) {
        let known = name.map { TimeZone(identifier: $0) } ?? TimeZone.autoupdatingCurrent
        guard let zone = known else { return nil }
        self.init(
            offset: { Int64(zone.secondsFromGMT(for: $0.date)) },
            nextChange: { zone.nextDaylightSavingTimeTransition(after: $0.date).map(Timestamp.init) })
    }
}

extension Timestamp {
    fileprivate var date: Date { Date(timeIntervalSince1970: Double(nanosecondsSince1970) / 1e9) }

    fileprivate init(_ date: Date) { self.init(secondsSince1970: Int64(date.timeIntervalSince1970.rounded())) }
}

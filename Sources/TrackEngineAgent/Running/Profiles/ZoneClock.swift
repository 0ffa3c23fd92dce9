import Foundation
package import TrackEngine

/// The clock of a time zone: its offset from GMT, and the next change of that offset.
package struct ZoneClock: Sendable {
    /// The offset of the zone's clock from GMT at a moment, in seconds; positive if it is ahead.
    package let offset: @Sendable (Timestamp) -> Int64
    /// The time of the next change after a moment; `nil` if no change is known.
    let nextChange: @Sendable (Timestamp) -> Timestamp?

    package init(
        offset: @escaping @Sendable (Timestamp) -> Int64, nextChange: @escaping @Sendable (Timestamp) -> Timestamp?
    ) {
        (self.offset, self.nextChange) = (offset, nextChange)
    }

    /// The clock of a zone by its IANA name, or of the machine's zone; `nil` for an unknown name.
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

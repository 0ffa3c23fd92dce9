package import TrackEngine

extension RetentionPlan {
    /// A finished file of the sink.
    package struct File: Sendable, Hashable {
        package let name: String
        /// When it begins; where it stands among the others.
        package let time: Timestamp
        /// From when on its age counts.
        package let end: Timestamp
        /// The number among the files of that start: the higher, the newer.
        package let number: Int
        /// In bytes.
        package let size: Int64

        /// 2000-01-01T00:00:00Z. No age counts from a time before.
        private static let earliest = Timestamp(secondsSince1970: 946_684_800)

        /// A file.
        ///
        /// - Parameters:
        ///   - start: the time in its name. One before 2000 is not believed: a receiver without a fix and a machine
        ///     whose clock was never set begin in 1970 or 1980, and the file may go on with records of today.
        ///   - modified: when it was changed last; its age counts from there where `start` is not believed.
        ///   - isOpenEnded: whether nothing bounds the time that it covers, as of a trip: then its newest records are as
        ///     old as its last change.
        package init(
            name: String, start: Timestamp, modified: Timestamp, isOpenEnded: Bool = false, number: Int = 1, size: Int64
        ) {
            self.name = name
            time = start < Self.earliest ? modified : start
            end = isOpenEnded ? max(time, modified) : time
            self.number = number
            self.size = size
        }

        /// Whether its age counts: ``time`` may be no better known than the start.
        var hasKnownAge: Bool { time >= Self.earliest }

        /// Where the file stands among the others: the lower, the older.
        var rank: UInt128 {
            let time = UInt64(bitPattern: time.nanosecondsSince1970 ^ .min)
            return UInt128(time) << 32 | UInt128(UInt32(clamping: number))
        }

        /// Names decide only between files of several formats, so that the order is always the same.
        func isOlder(than other: File) -> Bool { (rank, name) < (other.rank, other.name) }
    }
}

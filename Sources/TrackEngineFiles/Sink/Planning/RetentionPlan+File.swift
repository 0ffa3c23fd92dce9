package import TrackEngine

extension RetentionPlan {
    /// A finished file of the sink.
    package struct File: Sendable, Hashable {
        package let name: String
        /// The start, which determines the file's place in the order of the files.
        package let time: Timestamp
        /// The time from which its age counts.
        package let end: Timestamp
        /// The number among the files with this start: the higher, the newer.
        package let number: Int
        /// The size in bytes.
        package let size: Int64

        /// 2000-01-01T00:00:00Z. Ages do not count from times before it.
        private static let earliest = Timestamp(secondsSince1970: 946_684_800)

        /// Creates a file.
        ///
        /// - Parameters:
        ///   - start: the time in its name. A time before 2000 is not trusted: a receiver without a fix and a
        ///     machine with an unset clock begin in 1970 or 1980, and the file may continue with records of today.
        ///   - modified: the last change; the age counts from it if `start` is not trusted.
        ///   - isOpenEnded: whether the file's time span is unbounded, as for a trip: then its newest records are as
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

        /// Whether the age is known; ``time`` may be as unreliable as the start.
        var hasKnownAge: Bool { time >= Self.earliest }

        /// The file's place in the order of the files: the lower, the older.
        var rank: UInt128 {
            let time = UInt64(bitPattern: time.nanosecondsSince1970 ^ .min)
            return UInt128(time) << 32 | UInt128(UInt32(clamping: number))
        }

        /// Names only decide between files of several formats, so the order is always the same.
        func isOlder(than other: File) -> Bool { (rank, name) < (other.rank, other.name) }
    }
}

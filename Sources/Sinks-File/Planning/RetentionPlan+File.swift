package import TrackEngine

extension RetentionPlan {
    /// A finished file of the sink.
    package struct File: Sendable, Hashable {
        package let name: String
        package let start: Timestamp
        /// The number among the files of that start: the higher, the newer.
        package let number: Int
        /// In bytes.
        package let size: Int64

        package init(name: String, start: Timestamp, number: Int = 1, size: Int64) {
            self.name = name
            self.start = start
            self.number = number
            self.size = size
        }

        /// Where the file stands among the others: the lower, the older.
        var rank: UInt128 {
            let time = UInt64(bitPattern: start.nanosecondsSince1970 ^ .min)
            return UInt128(time) << 32 | UInt128(UInt32(clamping: number))
        }

        /// Names decide only between files of several formats, so that the order is always the same.
        func isOlder(than other: File) -> Bool { (rank, name) < (other.rank, other.name) }
    }
}

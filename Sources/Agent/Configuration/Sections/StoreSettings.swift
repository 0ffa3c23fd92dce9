package import TrackEngine
import TrackEngineSettings

/// The section `store`: where records wait, and how long.
package struct StoreSettings: Sendable, Hashable {
    /// The directory of store, device id and control socket; made with mode 0700 if it is missing.
    package var path: String
    /// How long and how much is kept.
    package var retention = RetentionConfiguration()
    /// How long appends wait for each other, so that they share a commit. 0 to 60 s; 0 commits each at once.
    package var commitInterval = Duration.zero

    package init(path: String) {
        self.path = path
    }

    static let fields: [Field<Self>] = [
        .text("path", \.path)
            .meaning("The directory of store, device id and control socket; made with mode 0700 if it is missing."),
        .integer("maxDaysToPersist", \.retention.maxDaysToPersist, 0...36_500, "days")
            .meaning("After how many days a record is dropped, delivered or not; 0 keeps it for ever."),
        .integer("maxRecords", \.retention.maxRecords, 0...1_000_000_000, "records")
            .meaning("The most records that are kept, the oldest go first; 0 sets no limit."),
        .byteCount("maxBytes", \.retention.maxBytes)
            .meaning("The most that the store may take on the disk, the oldest records go first; 0 sets no limit."),
        .integer("keepSyncedDays", \.retention.keepSyncedDays, 0...36_500, "days")
            .meaning("How long delivered records stay."),
        .seconds("commitInterval", \.commitInterval, 0...60)
            .meaning("How long appends wait for each other, to share a commit; a power cut loses what waits."),
    ]

    static func decode(_ root: inout TableDecoder, default path: String, _ delivery: DeliveryDefaults) -> StoreSettings
    {
        root.table("store") { table in
            var settings = StoreSettings(path: path)
            if let days = delivery.maxDaysToPersist {
                settings.retention.maxDaysToPersist = days
                if let own: Int = table.integer("maxDaysToPersist", 0...36_500, "days"), own != days {
                    table.reject(
                        "maxDaysToPersist", nil, "the same as tracking.maxDaysToPersist (\(days)), or only one of them")
                }
            }
            for field in fields { field.read(&table, &settings) }
            return settings
        }
    }
}

extension Field {
    /// A number of bytes, or a text such as `100MB` or `64 MiB`.
    fileprivate static func byteCount(_ name: String, _ path: any WritableKeyPath<Section, Int64> & Sendable) -> Field {
        let allowed: ClosedRange<Int64> = 1_048_576...(1 << 50)
        let expectation = "0 (no limit) or at least 1048576 bytes, such as 100MB or 64 MiB"
        let rule = ValueRule<Int64>(.size, expectation) { node in
            guard let bytes = node.text.flatMap(ByteCount.init)?.bytes else { return nil }
            return bytes == 0 || allowed.contains(bytes) ? bytes : nil
        }
        return value(name, path, rule, show: { .word("\($0)") })
    }
}

/// A size as people write it.
struct ByteCount {
    let bytes: Int64

    /// Reads a whole number with a unit: B, kB, MB, GB, TB (powers of 1000) or KiB, MiB, GiB, TiB (powers of 1024).
    init?(_ text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard digits.count <= 18, let number = Int64(digits) else { return nil }
        let unit = text.dropFirst(digits.count).drop { $0 == " " }
        guard let factor = Self.units[String(unit)] else { return nil }
        let (bytes, overflow) = number.multipliedReportingOverflow(by: factor)
        guard !overflow else { return nil }
        self.bytes = bytes
    }

    private static let units: [String: Int64] = [
        "": 1, "B": 1, "kB": 1000, "KB": 1000, "MB": 1_000_000, "GB": 1_000_000_000, "TB": 1_000_000_000_000,
        "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40,
    ]
}

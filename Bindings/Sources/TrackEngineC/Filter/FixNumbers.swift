import TrackEngine

/// Counts the fixes, and knows the numbers of the last ones that passed the gates: the pipeline names the fix of a
/// decision by value.
struct FixNumbers {
    private struct Entry: BitwiseCopyable {
        let time: Int64
        let number: UInt64
    }

    /// A ring, whose length is a power of two.
    private let entries: UnsafeMutableBufferPointer<Entry>
    private var end = 0
    private var count: UInt64 = 0

    /// The rule `deviation` decides about any of its last 256 fixes; the other rules about the last one.
    init(_ configuration: RecordingConfiguration) {
        entries = .allocate(capacity: configuration.record == .deviation ? 512 : 1)
        entries.initialize(repeating: Entry(time: .min, number: 0))
    }

    func deallocate() { entries.deallocate() }

    /// Returns the number of the next fix.
    @inline(__always)
    mutating func next() -> UInt64 {
        defer { count &+= 1 }
        return count
    }

    /// Notes a fix that passed the gates.
    @inline(__always)
    mutating func add(_ number: UInt64, time: Timestamp) {
        entries[end] = Entry(time: time.nanosecondsSince1970, number: number)
        end = (end &+ 1) & (entries.count &- 1)
    }

    /// Returns the number of the newest fix of a time.
    func number(of time: Timestamp) -> UInt64 {
        for distance in 1...entries.count {
            let entry = entries[(end &- distance) & (entries.count &- 1)]
            if entry.time == time.nanosecondsSince1970 { return entry.number }
        }
        return entries[(end &- 1) & (entries.count &- 1)].number
    }
}

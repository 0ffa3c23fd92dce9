package import TrackEngine

/// Which finished files go: those that are too old, and the oldest while all of them together are too large.
///
/// A directory is gone through once; only the oldest files are remembered, so that its size does not matter. Where more
/// than those have to go, it is gone through again.
package struct RetentionPlan: Sendable {
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

        /// Names decide only between files of several formats, so that the order is always the same.
        fileprivate func isOlder(than other: File) -> Bool {
            (start, number, name) < (other.start, other.number, other.name)
        }
    }

    /// How many files are remembered.
    package static let memory = 256

    /// How old a file's start may be; `nil` for any age.
    package let maximumAge: Duration?
    /// How many bytes all files together may have; `nil` for any number.
    package let maximumBytes: Int64?
    /// How many files were added.
    package private(set) var count = 0
    /// The bytes of all of them.
    package private(set) var bytes: Int64 = 0
    /// The oldest, oldest first.
    private var oldest: [File] = []

    package init(maximumAge: Duration?, maximumBytes: Int64?) {
        self.maximumAge = maximumAge
        self.maximumBytes = maximumBytes
    }

    /// Counts a file and remembers it if it is among the oldest.
    package mutating func add(_ file: File) {
        count += 1
        bytes = bytes.addingReportingOverflow(file.size).partialValue
        let place = oldest.firstIndex(where: file.isOlder) ?? oldest.count
        guard place < Self.memory else { return }
        oldest.insert(file, at: place)
        if oldest.count > Self.memory { oldest.removeLast() }
    }

    /// Whether the directory has to be gone through again after these removals.
    package func isPartial(_ removals: [File]) -> Bool { removals.count == oldest.count && count > oldest.count }

    /// The files that go, oldest first.
    ///
    /// - Parameters:
    ///   - newest: the time that age counts to.
    ///   - partSize: the bytes of the file under way, which count and stay.
    package func removals(newest: Timestamp, partSize: Int64) -> [File] {
        var rest = bytes.addingReportingOverflow(partSize).partialValue
        var removals: [File] = []
        for file in oldest {
            let isOld = maximumAge.map { newest.duration(since: file.start) > $0 } ?? false
            let isTooMuch = maximumBytes.map { rest > $0 } ?? false
            guard isOld || isTooMuch else { break }
            removals.append(file)
            rest -= file.size
        }
        return removals
    }
}

import TrackEngine

/// The battery rules in force, in the state directory: a restart does not end a rule that the hysteresis preserves.
package struct PowerFile: Sendable {
    /// The file's name within the state directory.
    package static let name = "power"

    private let directory: String
    private var path: String { "\(directory)/\(Self.name)" }

    /// The file of a state directory.
    package init(in directory: String) { self.directory = directory }

    /// The bounds of the rules that were in force, in per cent; empty if they are unknown.
    package func read() -> Set<Int> {
        guard let file = try? FileContent.read(path, limit: 4096),  // missing or damaged: the level alone decides
            let bounds = JSONValue(ifReadable: file.bytes)?["below"]?.array
        else { return [] }
        return Set(bounds.compactMap { $0.number.flatMap { Int(exactly: $0) } })
    }

    /// Saves the bounds.
    package func write(_ bounds: Set<Int>) throws(FileProblem) {
        try StateDirectory.create(directory)
        let bytes = Array("{\"below\":[\(bounds.sorted().map { "\($0)" }.joined(separator: ","))]}\n".utf8)
        try AtomicFile.write(bytes, to: path, isForOwner: true)
    }
}

/// The reason why a file cannot be replayed at all. A defect inside of a file is a `SourceProblem` instead.
public struct ReplayError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: Sendable, Hashable {
        /// There is no such file.
        case missing
        /// The file is there and cannot be opened or read.
        case unreadable
        /// The contents of the file are of no known format.
        case unknownFormat
    }

    /// The kind of failure.
    public let code: Code
    /// The file.
    public let path: String
    /// The defect of the file.
    public let reason: String

    package init(_ code: Code, path: String, _ reason: String) {
        self.code = code
        self.path = path
        self.reason = reason
    }

    /// The file and its defect.
    public var description: String { "\(path): \(reason)" }
}

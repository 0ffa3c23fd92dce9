/// Why a file cannot be replayed at all. What is wrong inside of a file is a `SourceProblem` instead.
public struct ReplayError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of failure it is.
    public enum Code: Sendable, Hashable {
        /// There is no such file.
        case missing
        /// The file is there and cannot be opened or read.
        case unreadable
        /// What the file holds is no format that is known.
        case unknownFormat
    }

    /// What kind of failure it is.
    public let code: Code
    /// The file.
    public let path: String
    /// What is wrong with it.
    public let reason: String

    package init(_ code: Code, path: String, _ reason: String) {
        self.code = code
        self.path = path
        self.reason = reason
    }

    /// The file and what is wrong with it.
    public var description: String { "\(path): \(reason)" }
}

/// The origin of a value, for messages.
public enum ConfigurationOrigin: Sendable, Hashable, CustomStringConvertible {
    /// In a file, at a line that counts from 1; line 0 means the file as a whole.
    case file(name: String, line: Int)
    /// In an environment variable.
    case environment(String)
    /// With `--set` on the command line.
    case option
    /// No origin: a default, or a missing value.
    case none

    /// The prefix of a message: `trackd.yaml:12`.
    public var description: String {
        switch self {
        case .file(let name, line: 0): name
        case .file(let name, let line): "\(name):\(line)"
        case .environment(let name): name
        case .option: "--set"
        case .none: ""
        }
    }

    /// Whether keys ignore case here, as environment variables do.
    public var foldsCase: Bool {
        switch self {
        case .environment: true
        case .file, .option, .none: false
        }
    }

    /// Whether the origin has precedence over the file. Such origins identify elements of lists by position or name,
    /// and an empty value is not an empty list there.
    package var isAboveFile: Bool {
        switch self {
        case .environment, .option: true
        case .file, .none: false
        }
    }

    /// The order in which messages are listed: the file from top to bottom, then the origins above it.
    public var rank: Int {
        switch self {
        case .file(_, let line): line
        case .environment: .max - 2
        case .option: .max - 1
        case .none: .max
        }
    }
}

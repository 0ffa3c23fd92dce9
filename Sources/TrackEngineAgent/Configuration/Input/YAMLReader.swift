import TrackEngineSettings
import Yams

/// Reads YAML, and JSON as a subset of YAML, into nodes that have line numbers.
///
/// All input is bounded. libyaml stops at 1000 levels; beyond that:
///
/// | input | at most |
/// |---|---|
/// | bytes | 1 MiB |
/// | levels | 32 |
/// | values, with all values behind aliases | 20 000 |
/// | aliases | 8, because comparing keys made of more could take for ever |
struct YAMLReader {
    package static let maximumBytes = 1 << 20
    static let maximumDepth = 32
    static let maximumNodes = 20_000
    static let maximumAliases = 8

    private let name: String
    private var nodes = 0

    /// A reader of input; `name` is its origin in messages.
    private init(name: String) {
        self.name = name
    }

    /// Reads one document; `nil` if it is empty.
    package static func read(_ bytes: [UInt8], name: String) throws(AgentConfigurationError) -> ConfigurationNode? {
        let document = try compose(bytes, name: name)
        var reader = YAMLReader(name: name)
        return try document.map { node throws(AgentConfigurationError) in try reader.convert(node, depth: 0) }
    }

    /// Reads one document into the parser's own nodes, for an editor that writes them back.
    static func compose(_ bytes: [UInt8], name: String) throws(AgentConfigurationError) -> Node? {
        let whole = ConfigurationOrigin.file(name: name, line: 0)
        guard bytes.count <= maximumBytes else {
            throw AgentConfigurationError(ReportedProblem(whole, "expected at most \(maximumBytes) bytes"))
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw AgentConfigurationError(ReportedProblem(whole, "expected UTF-8 text"))
        }
        guard possibleAliases(in: bytes) <= maximumAliases else {
            throw AgentConfigurationError(ReportedProblem(whole, "expected at most \(maximumAliases) aliases (*name)"))
        }
        do {
            return try Yams.compose(yaml: text, .default, .default, .utf8)
        } catch let error as YamlError {
            let problem = YAMLProblem(error, in: text)
            throw AgentConfigurationError(ReportedProblem(.file(name: name, line: problem.line), problem.message))
        } catch {
            throw AgentConfigurationError(ReportedProblem(whole, "expected YAML or JSON"))
        }
    }

    /// The number of asterisks that could begin an alias: after a blank or an indicator, before a letter, digit,
    /// hyphen or underscore, and not on a comment line.
    ///
    /// The number may be too high (in quotes, in comments after values) but never too low.
    private static func possibleAliases(in bytes: [UInt8]) -> Int {
        let lines = bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        return lines.reduce(0) { count, line in
            let isComment = line.first { !$0.isBlank } == UInt8(ascii: "#")
            return isComment ? count : count + possibleAliases(inLine: line)
        }
    }

    private static func possibleAliases(inLine line: ArraySlice<UInt8>) -> Int {
        var previous = UInt8(ascii: " ")
        var count = 0
        for (byte, next) in zip(line, line.dropFirst()) {
            if byte == UInt8(ascii: "*"), previous.canPrecedeAlias, next.isAlphanumeric || "-_".utf8.contains(next) {
                count += 1
            }
            previous = byte
        }
        return count
    }

    private mutating func convert(_ node: Node, depth: Int) throws(AgentConfigurationError) -> ConfigurationNode {
        let origin = ConfigurationOrigin.file(name: name, line: node.mark?.line ?? 0)
        nodes += 1
        guard depth < Self.maximumDepth, nodes <= Self.maximumNodes else {
            let expectation = "expected at most \(Self.maximumDepth) levels and \(Self.maximumNodes) values"
            throw AgentConfigurationError(ReportedProblem(origin, expectation))
        }
        switch node {
        case .scalar(let scalar):
            let isQuoted = scalar.style != .plain && scalar.style != .any
            return ConfigurationNode(.scalar(.init(scalar.string, isQuoted: isQuoted)), origin)
        case .sequence(let sequence):
            var elements: [ConfigurationNode] = []
            for element in sequence { elements.append(try convert(element, depth: depth + 1)) }
            return ConfigurationNode(.list(elements), origin)
        case .mapping(let mapping):
            var members: [ConfigurationNode.Member] = []
            for (key, value) in mapping { members.append(try convert(key, value, depth: depth)) }
            return ConfigurationNode(.table(members), origin)
        case .alias:
            throw AgentConfigurationError(ReportedProblem(origin, "expected a value"))
        }
    }

    /// Converts a member. Its line is that of its key: a table's own mark is the line of its first key.
    private mutating func convert(
        _ key: Node, _ value: Node, depth: Int
    ) throws(AgentConfigurationError) -> ConfigurationNode.Member {
        let origin = ConfigurationOrigin.file(name: name, line: key.mark?.line ?? 0)
        guard case .scalar(let text) = key else {
            throw AgentConfigurationError(ReportedProblem(origin, "expected a name as key"))
        }
        guard text.style != .plain || text.string != "<<" else {
            let expectation = "expected keys of the table's own: merge keys (<<) are not read"
            throw AgentConfigurationError(ReportedProblem(origin, expectation))
        }
        var node = try convert(value, depth: depth + 1)
        node.origin = origin
        return .init(key: text.string, node: node)
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }

    /// Blanks, indicators, and bytes beyond ASCII, which include YAML's other line breaks.
    fileprivate var canPrecedeAlias: Bool { isBlank || self >= 0x80 || "[{,:?-".utf8.contains(self) }
}

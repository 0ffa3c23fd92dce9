import TrackEngine
import TrackEngineSettings

/// Nodes as the readers of files, variables and options make them.
extension ConfigurationNode {
    static let file = ConfigurationOrigin.file(name: "a.yaml", line: 1)

    static func text(_ text: String, _ origin: ConfigurationOrigin = file, isQuoted: Bool = false) -> Self {
        Self(.scalar(.init(text, isQuoted: isQuoted)), origin)
    }

    static func table(_ members: KeyValuePairs<String, Self>, _ origin: ConfigurationOrigin = file) -> Self {
        Self(.table(members.map { Member(key: $0, node: $1) }), origin)
    }

    /// A table of single values.
    static func keys(_ members: KeyValuePairs<String, String>, _ origin: ConfigurationOrigin = file) -> Self {
        Self(.table(members.map { Member(key: $0, node: text($1, origin)) }), origin)
    }

    static func list(_ elements: [Self], _ origin: ConfigurationOrigin = file) -> Self {
        Self(.list(elements), origin)
    }
}

extension ProblemReport {
    /// The keys of all problems, each behind its origin: `--set: a.b`.
    var places: [String] {
        problems.map { problem in
            let key = String(problem.message.prefix { $0 != " " })
            return problem.origin == .none ? key : "\(problem.origin): \(key)"
        }
    }
}

import TrackEngine
import TrackEngineSettings
import Yams

/// Selects a file for each secret of a setup link, never one that contains another secret.
///
/// A secret goes to its present file, if no other part of the configuration uses that file. A new file is named after
/// the configuration, the sink and the secret, `trackd.home.token`, with a number if that name is taken: two
/// configurations may share a folder.
struct SecretFileChoice {
    /// The files to write, in order.
    private(set) var files: [SetupPlan.SecretFile] = []
    /// The maximum number of files that have the same name except for their number.
    private static let mostFiles = 99
    private let prefix: String
    private let document: Node
    private let isTaken: (String) -> Bool

    init(configuration path: String, document: Node, isTaken: @escaping (String) -> Bool) {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let stem =
            [".yaml", ".yml", ".json"].first(where: name.hasSuffix).map { String(name.dropLast($0.count)) } ?? name
        prefix = path.directory + "/" + stem
        self.document = document
        self.isTaken = isTaken
    }

    /// Adds a secret and returns the change of the sink that refers to it.
    ///
    /// - Throws: if every name for a new file is taken.
    mutating func place(
        _ secret: Secret, at path: [YAMLEditor.Step], of target: SetupTarget, _ name: String
    ) throws(AgentConfigurationError) -> (path: [YAMLEditor.Step], value: Node) {
        let present = target.sink.node(at: path[...])?["file"]?.string
        if let present, document.references(to: present) == 1 {
            files.append(SetupPlan.SecretFile(path: present, secret: secret))
            return (path + [.key("file")], .text(present))
        }
        let file = try freeFile("\(prefix).\(target.name.fileName).\(name)")
        files.append(SetupPlan.SecretFile(path: file, secret: secret))
        return (path, Node([(Node("file"), .text(file))], .implicit, .flow))
    }

    private func freeFile(_ wanted: String) throws(AgentConfigurationError) -> String {
        let names = [wanted] + (2...Self.mostFiles).map { "\(wanted)-\($0)" }
        let free = names.first { name in !isTaken(name) && !files.contains { $0.path == name } }
        guard let free else {
            throw AgentConfigurationError(
                ReportedProblem(
                    .none, "\(wanted): expected that name, or one with -2 to -\(Self.mostFiles), to be free")
            )
        }
        return free
    }
}

extension Node {
    /// The number of values under the key `file` that name a path.
    fileprivate func references(to path: String) -> Int {
        switch self {
        case .mapping(let mapping):
            mapping.reduce(0) { count, pair in
                let isReference = pair.key.string == "file" && pair.value.string == path
                return count + (isReference ? 1 : pair.value.references(to: path))
            }
        case .sequence(let sequence): sequence.reduce(0) { $0 + $1.references(to: path) }
        case .scalar, .alias: 0
        }
    }
}

extension String {
    /// The name as part of a file's name.
    var fileName: String {
        String(decoding: lowercased().utf8.map { $0.isAlphanumeric ? $0 : UInt8(ascii: "-") }, as: UTF8.self)
    }
}

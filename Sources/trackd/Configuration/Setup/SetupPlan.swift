package import TrackEngine
import Yams

/// What `trackd setup` will write: the configuration with the link's values, and a file of its own for each secret.
///
/// What the link does not mention stays as it is. It is about the first sink of type `overland`, which is made if there
/// is none.
package struct SetupPlan: Sendable, Hashable {
    /// The new text of the configuration.
    package let configuration: [UInt8]
    /// Files for secrets, to be written with mode 0600 before the configuration.
    package let secrets: [SecretFile]
    /// The name of the sink that the link is about; `nil` if it is only about the device.
    package let sink: String?
    /// Whether the comments of the old text are still there.
    package let keepsComments: Bool

    /// A secret and the file that will hold it.
    package struct SecretFile: Sendable, Hashable {
        package let path: String
        package let secret: Secret

        package init(path: String, secret: Secret) {
            self.path = path
            self.secret = secret
        }
    }

    /// Works out what to write.
    ///
    /// - Parameters:
    ///   - link: The link.
    ///   - existing: The configuration's present text, empty if there is none.
    ///   - path: The configuration's absolute path; secrets go beside it.
    /// - Throws: what is wrong with the present text, or that the link has no address for a new sink.
    package init(link: SetupLink, existing: [UInt8], path: String) throws(AgentConfigurationError) {
        var editor = try DocumentEditor(existing.isEmpty ? Self.newDocument : existing, name: path)
        if let id = link.deviceID { editor.set([.key("device"), .key("id")], .text(id)) }
        var secrets: [SecretFile] = []
        sink = try Self.apply(link, to: &editor, path: path, &secrets)
        self.secrets = secrets
        configuration = editor.bytes
        keepsComments = editor.keepsComments
    }

    private static let newDocument = Array(
        """
        # The configuration of trackd, begun by `trackd setup`. `trackd check --show` prints all keys and values.

        """.utf8)

    private static func apply(
        _ link: SetupLink, to editor: inout DocumentEditor, path: String, _ secrets: inout [SecretFile]
    ) throws(AgentConfigurationError) -> String? {
        guard link.url != nil || link.token != nil || !link.headers.isEmpty else { return nil }
        let sinks = editor.root["sinks"]?.sequence.map(Array.init) ?? []
        let index = sinks.firstIndex { $0["type"]?.string == OverlandSinkConfiguration.type }
        let name = index.flatMap { sinks[$0]["name"]?.string } ?? OverlandSinkConfiguration.type
        guard index != nil || link.url != nil else {
            let problem = "expected a link with url, because there is no sink of type overland yet"
            throw AgentConfigurationError(LocatedProblem(.none, problem))
        }
        var sink = index.map { sinks[$0] } ?? Node([(Node("type"), Node(OverlandSinkConfiguration.type))])
        let base: [DocumentEditor.Step] = [.key("sinks"), .element(index ?? sinks.count)]
        let prefix = path.directory + "/" + name
        var changes: [(path: [DocumentEditor.Step], value: Node)] = []
        if let url = link.url { changes.append(([.key("url")], .text(url.revealed))) }
        if let token = link.token {
            changes.append(place(token, at: [.key("token")], of: sink, file: prefix + ".token", &secrets))
        }
        for header in link.headers {
            let steps: [DocumentEditor.Step] = [.key("headers"), .key(header.name)]
            changes.append(
                place(header.value, at: steps, of: sink, file: "\(prefix).\(header.name.fileName)", &secrets))
        }
        if index == nil {
            for change in changes { sink = sink.setting(change.path[...], change.value) }
            editor.set(base, sink)
        } else {
            for change in changes { editor.set(base + change.path, change.value) }
        }
        return name
    }

    /// A secret goes to the file that holds it already, or to a new one.
    private static func place(
        _ secret: Secret, at path: [DocumentEditor.Step], of sink: Node, file: String, _ secrets: inout [SecretFile]
    ) -> (path: [DocumentEditor.Step], value: Node) {
        let present = sink.node(at: path[...])?["file"]?.string
        let file = present ?? file
        secrets.append(SecretFile(path: file, secret: secret))
        if present != nil { return (path + [.key("file")], .text(file)) }
        return (path, Node([(Node("file"), .text(file))], .implicit, .flow))
    }
}

extension Node {
    fileprivate static func text(_ text: String) -> Node { Node(text, .implicit, .doubleQuoted) }
}

extension String {
    /// A header's name as part of a file's name.
    fileprivate var fileName: String {
        String(decoding: lowercased().utf8.map { $0.isAlphanumeric ? $0 : UInt8(ascii: "-") }, as: UTF8.self)
    }
}

package import TrackEngine
package import TrackEngineSettings
import Yams

/// The files that `trackd setup` writes: the configuration with the link's values, and a separate file for each secret.
///
/// Values that the link does not mention stay as they are, except for credentials: another server (scheme, host and
/// port) gets none of those that the sink had for the previous one. The link applies to the only sink of its type, or
/// to the named one, which is made if there is none.
package struct SetupPlan: Sendable, Hashable {
    /// The new text of the configuration.
    package let configuration: [UInt8]
    /// Files for secrets, to be written with mode 0600 before the configuration.
    package let secrets: [SecretFile]
    /// The name of the sink that the link applies to; `nil` if it only applies to the device.
    package let sink: String?
    /// Whether the old text is preserved except for the changes, with its comments; otherwise it is rewritten.
    package let keepsText: Bool
    /// The change of the server, if the link names another one; `nil` if it is the same, or the first.
    package let change: OriginChange?

    /// The change to another server, which gets none of the credentials for the previous one.
    package struct OriginChange: Sendable, Hashable, CustomStringConvertible {
        /// Scheme, host and port of the previous server.
        package let old: String
        /// Scheme, host and port of the server that the link names.
        package let new: String
        /// The keys of the sink that are removed, each with the keys of the tables around it.
        package let dropped: [[String]]
        /// The variables of the environment that hold credentials of the sink, which a command cannot remove.
        package let kept: [String]

        /// `the receiver was https://a.example and is https://b.example: removed the keys of the old one (token)`
        package var description: String {
            let names = dropped.map { $0.joined(separator: ".") }.joined(separator: ", ")
            return "the receiver was \(old) and is \(new)"
                + (dropped.isEmpty ? "" : ": removed the keys of the old one (\(names))")
                + (kept.isEmpty
                    ? ""
                    : "; \(new) gets the values of \(kept.joined(separator: ", ")) from the environment: remove those for \(old)")
        }
    }

    /// A secret and the file that will hold it.
    package struct SecretFile: Sendable, Hashable {
        package let path: String
        package let secret: Secret

        package init(path: String, secret: Secret) {
            self.path = path
            self.secret = secret
        }
    }

    /// The decisions of the user.
    package struct Options: Sendable {
        /// The sink that the link applies to; `nil` for the only one.
        package var sink: String?
        /// Whether positions and token may be sent unencrypted.
        package var allowsInsecure = false
        /// Whether a file exists already; a new secret must not replace it.
        package var isTaken: @Sendable (String) -> Bool = { _ in false }
        /// The environment. Its variables may override values of the file.
        package var environment: [String: String] = [:]

        package init() {}
    }

    /// Determines the files to write.
    ///
    /// - Parameters:
    ///   - link: The link.
    ///   - type: The type of the sinks that such links apply to.
    ///   - existing: The configuration's present text, empty if there is none.
    ///   - path: The configuration's absolute path; secrets go next to it, under names that begin with its own.
    /// - Throws: the problems of the present text; an error if the link has no address for a new sink, if there are
    ///   several sinks to choose from, if the address needs ``Options/allowsInsecure``, or if every name for a
    ///   secret's file is taken.
    package init(
        link: SetupLink, type: String, existing: [UInt8], path: String, _ choices: Options = Options()
    ) throws(AgentConfigurationError) {
        var editor = try YAMLEditor(existing.isEmpty ? Self.newDocument : existing, name: path)
        let target = try SetupTarget(link, for: type, in: editor.root, choices)
        if let id = link.deviceID, target?.takesDeviceID != true {
            editor.set([.key("device"), .key("id")], .text(id))
        }
        var places = SecretFileChoice(configuration: path, document: editor.root, isTaken: choices.isTaken)
        if let target { try Self.apply(link, to: target, of: &editor, &places) }
        change = target?.change
        sink = target?.name
        secrets = places.files
        configuration = editor.bytes
        keepsText = editor.keepsText
    }

    private static var newDocument: [UInt8] {
        let name = Agent.current.name
        let head =
            "# The configuration of \(name), begun by `\(name) setup`. `\(name) check --show` prints all keys and values.\n"
        return Array(head.utf8)
    }

    private static func apply(
        _ link: SetupLink, to target: SetupTarget, of editor: inout YAMLEditor, _ places: inout SecretFileChoice
    ) throws(AgentConfigurationError) {
        var changes: [(path: [YAMLEditor.Step], value: Node)] = []
        if let url = link.url { changes.append(([.key("url")], .text(url.revealed))) }
        if let id = link.deviceID, target.takesDeviceID { changes.append(([.key("deviceID")], .text(id))) }
        if let isAllowed = target.allowInsecure {
            changes.append(([.key("allowInsecure")], Node("\(isAllowed)", .implicit, .plain)))
        }
        let hasNoToken = link.token?.revealed.isEmpty == true
        if let token = link.token, !hasNoToken {
            changes.append(try places.place(token, at: [.key("token")], of: target, "token"))
        }
        for header in link.headers {
            let steps: [YAMLEditor.Step] = [.key("headers"), .key(header.name)]
            changes.append(try places.place(header.value, at: steps, of: target, header.name.fileName))
        }
        for key in target.change?.dropped ?? [] {
            editor.remove(target.path + key.map(YAMLEditor.Step.key))
        }
        if hasNoToken, !target.isNew { editor.remove(target.path + [.key("token")]) }
        if target.isNew {
            var sink = target.sink
            for change in changes { sink = sink.setting(change.path[...], change.value) }
            editor.set(target.path, sink)
        } else {
            for change in changes { editor.set(target.path + change.path, change.value) }
        }
    }
}

extension Node {
    static func text(_ text: String) -> Node { Node(text, .implicit, .doubleQuoted) }
}

extension SetupPlan {
    /// Reads the planned configuration as the agent would, so no configuration is written that it would refuse.
    ///
    /// - Returns: the warnings about the sink of the plan.
    @discardableResult
    func check(path: String, isPrivate: Bool) throws(AgentConfigurationError) -> [String] {
        let text = ConfigurationReader.FileText(name: path, bytes: configuration, isPrivate: isPrivate)
        let configuration = try ConfigurationReader(environment: [:], stateDirectory: "/").decode(text)
        return configuration.sinks.filter { "\($0.name)" == sink.map { "\($0)" } }.flatMap {
            $0.cautions(beside: configuration.tracking, sourceCount: 1)
        }
    }

    /// Writes the secrets and then the configuration, each file completely or not at all.
    ///
    /// The configuration keeps its mode; only the owner can read a new one. If the text is rewritten, the old one is
    /// saved next to it with the suffix `.bak`.
    func write(path: String, replacing old: FileContent?) throws(FileProblem) {
        for file in secrets { try AtomicFile.write(Array("\(file.secret.revealed)\n".utf8), to: file.path) }
        if let old, !keepsText { try AtomicFile.write(old.bytes, to: path + ".bak") }
        try AtomicFile.write(configuration, to: path, mode: old.map { $0.status.mode & 0o777 } ?? 0o600)
    }
}

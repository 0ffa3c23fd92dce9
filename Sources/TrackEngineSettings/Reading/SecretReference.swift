public import TrackEngine

/// A secret, or its location.
public enum SecretReference: Sendable, Hashable {
    /// `{file: /etc/trackd/token}`: the text of a file that only its owner can read.
    case file(String)
    /// `{env: TOKEN}`: an environment variable.
    case environment(String)
    /// `{credential: token}`: a systemd credential (`LoadCredential=`), a file in `$CREDENTIALS_DIRECTORY`.
    case credential(String)
    /// The secret itself, in a configuration file that only its owner can read or in the environment.
    case literal(Secret)
}

extension TableDecoder {
    /// Reads a secret or its location. Layers are not merged; the highest one replaces all others.
    public mutating func secret(_ key: String) -> SecretReference? {
        node(key).flatMap { secret(fullKey(key), $0) }
    }

    /// Reads a secret or its location from a node.
    public func secret(_ key: String, _ node: ConfigurationNode) -> SecretReference? {
        func reject(_ expectation: String) -> SecretReference? {
            let problem = ConfigurationProblem(key: key, value: "***", expectation: expectation)
            report.add(ReportedProblem(node.origin, problem))
            return nil
        }
        guard let members = node.members else {
            if let expectation = problemWithSecret(key, node.origin) { return reject(expectation) }
            guard let text = node.text, (1...8192).contains(text.utf8.count), !text.hasControlCharacter else {
                return reject(Self.secretExpectation)
            }
            return .literal(Secret(text))
        }
        guard members.count == 1, let member = members.first, let text = member.node.text else {
            return reject(Self.secretExpectation)
        }
        switch member.key.lowercased() {
        case "file" where TextRule.absolutePath.isSatisfied(by: text): return .file(text)
        case "file": return reject("an absolute path as file")
        case "env" where text.isVariableName: return .environment(text)
        case "env": return reject("the name of a variable as env")
        case "credential" where text.isCredentialName: return .credential(text)
        case "credential": return reject("the name of a systemd credential as credential")
        default: return reject(Self.secretExpectation)
        }
    }

    /// The expectation for a secret, in words that complete "expected …".
    package static let secretExpectation = "one of {file: PATH}, {env: NAME}, {credential: NAME}, or a text"

    /// The reason why a secret is not allowed at its origin; `nil` if it is.
    public func problemWithSecret(_ key: String, _ origin: ConfigurationOrigin) -> String? {
        switch origin {
        case .option:
            key == "url"
                ? "no secret on the command line, which every user of this machine can read; a variable can hold it"
                : "\(key).file=PATH or \(key).env=NAME, because every user of this machine can read the command line"
        case .file where !report.allowsSecretsInFile:
            key == "url"
                ? "no secret in a file that others can read (chmod 600), or the address in a variable \(report.variablePrefix)SINKS_…_URL"
                : "{file: PATH}, {env: NAME} or {credential: NAME}, or a file that only its owner can read (chmod 600)"
        case .file, .environment, .none: nil
        }
    }
}

extension String {
    fileprivate var isVariableName: Bool {
        let isPlain = utf8.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "_") }
        return isPlain && (1...128).contains(utf8.count) && first?.isNumber == false
    }

    /// Whether the text is a plain file name, which cannot lead out of the credentials' directory.
    fileprivate var isCredentialName: Bool {
        (1...128).contains(utf8.count) && first != "."
            && utf8.allSatisfy { $0.isAlphanumeric || "-_.".utf8.contains($0) }
    }
}

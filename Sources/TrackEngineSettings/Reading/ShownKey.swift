import TrackEngine

/// Keys as the user wrote them, for messages that must not show a secret.
///
/// If the blank after a colon is missing, as in `{token:SECRET}`, YAML reads name and value together as one key. A key
/// is therefore shown up to its first colon, and only if it looks like a name.
extension String {
    /// The key in a message: `token`, `token:…`, or `a key of 43 characters`.
    package var shownAsKey: String {
        let name = keyName
        guard name.isShownAsIs else { return "a key of \(count) characters" }
        return name.count == count ? name : "\(name):…"
    }

    /// The key up to its first colon.
    package var keyName: String { String(prefix { $0 != ":" }) }

    /// Whether a blank seems to be missing after a colon.
    var lacksBlank: Bool { contains(":") }

    /// Whether the whole text is a key and a value with no blank between them: `token:SECRET`, but not `https://…`.
    var isKeyWithoutBlank: Bool { self[...].colonBeforeValue != nil }

    /// A single value for a message, cut after a name and a colon in it: a line `token:SECRET` without its blank
    /// continues the value above it.
    var withoutForgottenBlank: String {
        for index in indices where self[index].isWhitespace {
            guard let colon = self[index...].dropFirst().colonBeforeValue else { continue }
            return String(self[..<colon]) + ":…"
        }
        return self
    }

    private var isShownAsIs: Bool {
        (1...32).contains(utf8.count) && utf8.allSatisfy { $0.isAlphanumeric || "-_.".utf8.contains($0) }
    }
}

extension Substring {
    /// The colon behind a name at the beginning, where a value follows it without a blank.
    fileprivate var colonBeforeValue: Index? {
        let colon = prefix { $0.utf8.allSatisfy { $0.isAlphanumeric || "_-".utf8.contains($0) } }.endIndex
        guard colon > startIndex, self[colon...].first == ":", let next = self[colon...].dropFirst().first else {
            return nil
        }
        return next.isWhitespace || next == "/" ? nil : colon
    }
}

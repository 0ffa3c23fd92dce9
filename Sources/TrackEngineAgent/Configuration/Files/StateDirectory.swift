import Glibc
import TrackEngine

/// The directory of the files that must outlive the agent.
package enum StateDirectory {
    /// `$STATE_DIRECTORY` (systemd), else `/var/lib/trackd` for root, else `$XDG_STATE_HOME/trackd` or
    /// `~/.local/state/trackd`.
    package static func standard(
        _ program: String, environment: [String: String], isRoot: Bool = geteuid() == 0
    ) -> String {
        if let first = environment["STATE_DIRECTORY"]?.split(separator: ":").first { return String(first) }
        if isRoot { return "/var/lib/\(program)" }
        // The XDG base directory specification requires that relative paths are ignored.
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return "\(state)/\(program)" }
        return (environment["HOME"] ?? "") + "/.local/state/\(program)"
    }

    /// The kind of the agent's own encrypted files. It is constant, because the directory may be renamed.
    static let kind = "state"

    /// Makes the directory and its missing parents, with mode 0700. A directory that root makes in another user's
    /// directory belongs to that user.
    package static func create(_ path: String) throws(FileProblem) {
        var made = path.hasPrefix("/") ? "/" : ""
        for component in path.split(separator: "/") {
            made += (made.isEmpty || made.hasSuffix("/") ? "" : "/") + component
            guard FileStatus.at(made) == nil else { continue }
            let entry = try FileProblem.entry(made, "make the directory")
            guard entry.makeDirectory() || errno == EEXIST else {
                throw FileProblem(path: made, action: "make the directory", code: errno)
            }
        }
    }
}

/// A failed file operation.
package struct FileProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file.
    package let path: String
    /// The attempted action.
    package let action: String
    /// The system's error number.
    package let code: Int32

    /// `cannot make the directory /var/lib/trackd: Permission denied`
    package var description: String { "cannot \(action) \(path): \(SystemError.reason(code))" }

    /// The directory entry of a path; `action` is for error messages.
    static func entry(_ path: String, _ action: String) throws(FileProblem) -> DirectoryEntry {
        do throws(SystemError) { return try DirectoryEntry(path) } catch {
            throw FileProblem(path: path, action: action, code: error.code)
        }
    }
}

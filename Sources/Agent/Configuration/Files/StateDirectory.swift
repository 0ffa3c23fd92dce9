#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Where the agent keeps what must outlive it.
package enum StateDirectory {
    /// `$STATE_DIRECTORY` (systemd), else `/var/lib/trackd` for root, else `$XDG_STATE_HOME/trackd` or
    /// `~/.local/state/trackd`.
    package static func standard(
        _ program: String, environment: [String: String], isRoot: Bool = geteuid() == 0
    ) -> String {
        if let first = environment["STATE_DIRECTORY"]?.split(separator: ":").first { return String(first) }
        if isRoot { return "/var/lib/\(program)" }
        // The XDG base directory specification tells to ignore relative paths.
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return "\(state)/\(program)" }
        return (environment["HOME"] ?? "") + "/.local/state/\(program)"
    }

    /// Makes the directory and those above it that are missing, with mode 0700.
    package static func create(_ path: String) throws(FileProblem) {
        var made = path.hasPrefix("/") ? "/" : ""
        for component in path.split(separator: "/") {
            made += (made.isEmpty || made.hasSuffix("/") ? "" : "/") + component
            guard mkdir(made, 0o700) != 0, errno != EEXIST else { continue }
            throw FileProblem(path: made, action: "make the directory", code: errno)
        }
    }
}

/// A file operation that failed.
package struct FileProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file.
    package let path: String
    /// What was tried.
    package let action: String
    /// The system's error number.
    package let code: Int32

    /// `cannot make the directory /var/lib/trackd: Permission denied`
    package var description: String { "cannot \(action) \(path): \(String(cString: strerror(code)))" }
}

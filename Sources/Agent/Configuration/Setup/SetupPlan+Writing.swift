import TrackEngine

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension SetupPlan {
    /// Reads the planned configuration as the agent would, so that nothing is written that it would refuse.
    func check(path: String, isPrivate: Bool) throws(AgentConfigurationError) {
        let text = ConfigurationLoader.FileText(name: path, bytes: configuration, isPrivate: isPrivate)
        _ = try ConfigurationLoader(environment: [:], stateDirectory: "/").decode(text)
    }

    /// Writes the secrets and then the configuration, each file at once or not at all.
    ///
    /// The configuration keeps its mode; a new one is for its owner alone. Where the text is written anew, the old one is
    /// kept beside it.
    func write(path: String, replacing old: SmallFile?) throws(FileProblem) {
        for file in secrets { try AtomicFile.write(Array("\(file.secret.revealed)\n".utf8), to: file.path) }
        if let old, !keepsText { try AtomicFile.write(old.bytes, to: path + ".bak") }
        try AtomicFile.write(configuration, to: path, mode: old.map { $0.mode & 0o777 } ?? 0o600)
    }
}

import TrackEngineSettings

/// Conflicts between the control socket and the store.
extension StatePaths {
    /// The expectation that the name of a socket does not meet; `nil` if the name itself is valid.
    func expectationOfSocketName(_ socket: String) -> String? {
        let name = socket.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        guard !["", ".", ".."].contains(name) else { return "a path that ends in the socket's name, or null" }
        let place = resolved(socket.directory) + "/" + name
        let home = resolved(store)
        if (home + "/").hasPrefix(place + "/") {
            return "a path that is neither the store's directory nor above it, or null"
        }
        guard !isInStoreFile(place) else {
            return "a path that is none of the store's files, or null"
        }
        return nil
    }

    /// Whether a path without links is one of the store's files, or would have one as a parent.
    func isInStoreFile(_ place: String) -> Bool {
        let home = resolved(store)
        let own =
            storeFiles(in: home) + [DeviceIdentity.fileName, PauseFile.name, PowerFile.name].map { home + "/" + $0 }
        return own.contains { (place + "/").hasPrefix($0 + "/") }
    }

    /// The path with links resolved, as far as it exists; empty for the root, so a slash can follow.
    func resolved(_ path: String) -> String {
        var above = path
        var missing = ""
        while true {
            if let real = above.realPath { return (real == "/" ? "" : real) + missing }
            while above.hasSuffix("/"), above != "/" { above.removeLast() }
            guard above.directory != above else { return above + missing }
            missing = "/" + (above.split(separator: "/").last ?? "") + missing
            above = above.directory
        }
    }
}

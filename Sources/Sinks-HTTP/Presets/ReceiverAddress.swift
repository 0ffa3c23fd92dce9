/// A receiver's address with what is known of its path and query.
enum ReceiverAddress {
    /// The address with the path at its end, unless it ends with that, and the parameters whose names it has not.
    ///
    /// - Parameters:
    ///   - url: what the user has written: the receiver's address alone, or with path and query.
    ///   - path: the end of the path, `""` for none; with a slash at its end the address has one, too.
    ///   - parameters: `name=value` each.
    static func completed(_ url: String, path: String, parameters: [String] = []) -> String {
        let halves = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        var base = halves.first ?? ""
        let slashed = base.hasSuffix("/") ? base : base + "/"
        if !path.isEmpty, !slashed.hasSuffix(path.hasSuffix("/") ? path : path + "/") {
            base += path.hasPrefix("/") && base.hasSuffix("/") ? String(path.dropFirst()) : path
        } else if path.hasSuffix("/"), !base.hasSuffix("/") {
            base += "/"
        }
        var query = halves.count == 2 && !halves[1].isEmpty ? halves[1].split(separator: "&").map(String.init) : []
        let given = Set(query.map { $0.prefix { $0 != "=" } })
        query += parameters.filter { !given.contains($0.prefix { $0 != "=" }) }
        return base + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }
}

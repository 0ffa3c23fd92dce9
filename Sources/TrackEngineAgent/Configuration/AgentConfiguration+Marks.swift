import TrackEngine
import TrackEngineSettings

extension AgentConfiguration {
    /// ``effectiveYAML`` with a comment after each value that was set remotely and is in force.
    package var markedYAML: String {
        let origin = RemoteFile(in: store.path).origin
        var section = ""
        let lines = effectiveYAML.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            // Keys that can be changed remotely are one level deep, each on its own line.
            if !line.hasPrefix(" ") { section = String(line.prefix { $0 != ":" }) }
            let key = "\(section).\(line.dropFirst(2).prefix { $0 != ":" })"
            guard line.hasPrefix("  "), let entry = remote.values.values[key], remote.withheld[key] == nil,
                places.origin(of: key) == origin
            else {
                return String(line)
            }
            let since = entry.since.map { " since \($0.rfc3339(.seconds))" } ?? ""
            return "\(line)  # remote\(since)"
        }
        return lines.joined(separator: "\n")
    }
}

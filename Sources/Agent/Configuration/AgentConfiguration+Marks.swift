import TrackEngine
import TrackEngineSettings

extension AgentConfiguration {
    /// ``effectiveYAML`` with a comment behind each value that was configured from afar and holds.
    package var markedYAML: String {
        let origin = RemoteFile(in: store.path).origin
        var section = ""
        let lines = effectiveYAML.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            // Keys that can be changed from afar stand one level deep, each on a line.
            if !line.hasPrefix(" ") { section = String(line.prefix { $0 != ":" }) }
            let key = "\(section).\(line.dropFirst(2).prefix { $0 != ":" })"
            guard line.hasPrefix("  "), let entry = remote.values.values[key], remote.withheld[key] == nil,
                places.origin(of: key) == origin
            else {
                return String(line)
            }
            let since = entry.since.map { " since \($0.rfc3339(.seconds))" } ?? ""
            return "\(line)  # from afar\(since)"
        }
        return lines.joined(separator: "\n")
    }
}

/// The environment variables that override keys of a sink: `TRACKD_SINKS_0_TOKEN`, `TRACKD_SINKS_HOME_TOKEN`, or
/// `TRACKD_SINKS` with all sinks.
struct SinkEnvironment {
    /// The names of the sink in variables.
    private let names: Set<String>
    private let variables: [String]

    /// - Parameters:
    ///   - place: the sink's place in the list.
    ///   - name: its name.
    init(place: Int, name: String, _ environment: [String: String]) {
        names = ["\(place)", name.lowercased()]
        variables = environment.keys.filter { $0.hasPrefix(Agent.current.variablePrefix) }.sorted()
    }

    /// Returns the variables with a value of some keys, or with one that may hold it among others.
    func names(holding keys: [[String]]) -> [String] {
        variables.filter { variable in
            let path = variable.dropFirst(Agent.current.variablePrefix.count).lowercased().split(separator: "_")
                .map(String.init)
            guard path.first == "sinks" else { return false }
            guard path.count > 1 else { return true }
            guard names.contains(path[1]) else { return false }
            let rest = path.dropFirst(2)
            return keys.contains { key in zip(rest, key).allSatisfy { $0 == $1.lowercased() } }
        }
    }
}

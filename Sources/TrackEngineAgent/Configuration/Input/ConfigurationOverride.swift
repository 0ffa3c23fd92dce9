import TrackEngineSettings

/// A value above the configuration file: `TRACKD_TRACKING_DISTANCEFILTER=50` or
/// `--set tracking.distanceFilter=50`.
///
/// A dot of the key is an underscore in the variable's name, where upper and lower case are the same. Elements of
/// lists are named by their index, from 0, or by their `name`: `sinks.0.url`, `sinks.home.url`,
/// `TRACKD_SINKS_HOME_URL`; the index after the last one adds an element. A value that begins with `[` or `{` is read
/// as YAML; any other value is used unchanged.
enum ConfigurationOverride {
    /// The names after the prefix of variables that are not configuration keys.
    private static let reserved: Set<String> = ["CONFIG"]

    /// The layers of the environment, in the order of the variables' names.
    static func layers(
        environment: [String: String], prefix: String, _ report: ProblemReport
    ) -> [ConfigurationNode] {
        environment.sorted { $0.key < $1.key }.compactMap { name, value in
            guard name.hasPrefix(prefix), !reserved.contains(String(name.dropFirst(prefix.count))) else { return nil }
            let path = name.dropFirst(prefix.count).split(separator: "_", omittingEmptySubsequences: false)
            let origin = ConfigurationOrigin.environment(name)
            return layer(path: path.map { $0.lowercased() }, value, origin, report)
        }
    }

    /// The layers of the `--set` options, the last first, because the last one wins.
    static func layers(options: [String], _ report: ProblemReport) -> [ConfigurationNode] {
        options.reversed().compactMap { option in
            guard let equals = option.firstIndex(of: "=") else {
                report.add(ReportedProblem(.option, "expected key=value, such as tracking.distanceFilter=50"))
                return nil
            }
            let path = option[..<equals].split(separator: ".", omittingEmptySubsequences: false)
            return layer(path: path.map(String.init), String(option[option.index(after: equals)...]), .option, report)
        }
    }

    private static func layer(
        path: [String], _ value: String, _ origin: ConfigurationOrigin, _ report: ProblemReport
    ) -> ConfigurationNode? {
        guard !path.contains(""), path.count <= YAMLReader.maximumDepth, value.utf8.count <= 65_536 else {
            report.add(ReportedProblem(origin, "expected a key such as tracking.distanceFilter and up to 65536 bytes"))
            return nil
        }
        guard let node = node(value, origin, report) else { return nil }
        return path.reversed().reduce(node) { node, key in
            ConfigurationNode(.table([.init(key: key, node: node)]), origin)
        }
    }

    private static func node(
        _ value: String, _ origin: ConfigurationOrigin, _ report: ProblemReport
    ) -> ConfigurationNode? {
        guard let first = value.utf8.first, first == UInt8(ascii: "[") || first == UInt8(ascii: "{") else {
            return ConfigurationNode(.scalar(.init(value)), origin)
        }
        do throws(AgentConfigurationError) {
            return try YAMLReader.read(Array(value.utf8), name: "\(origin)")?.moved(to: origin)
        } catch {
            for problem in error.problems { report.add(ReportedProblem(origin, problem.message)) }
            return nil
        }
    }
}

extension ConfigurationNode {
    /// The node with another origin.
    fileprivate func moved(to origin: ConfigurationOrigin) -> ConfigurationNode {
        switch content {
        case .scalar: ConfigurationNode(content, origin)
        case .list(let elements): ConfigurationNode(.list(elements.map { $0.moved(to: origin) }), origin)
        case .table(let members):
            ConfigurationNode(.table(members.map { .init(key: $0.key, node: $0.node.moved(to: origin)) }), origin)
        }
    }
}

public import TrackEngine

extension SinkBinding {
    /// Creates the sinks of a JSON array as an agent's section `sinks` has it: for each an object with `type`, `name`, the
    /// keys of the type, and those of `SyncConfiguration`. They do not send yet.
    ///
    /// Without an agent a sink carries out no remote commands.
    ///
    /// - Parameters:
    ///   - json: the array, UTF-8.
    ///   - plugins: the types that `type` can name.
    ///   - context: the values that are the same for all of them.
    /// - Returns: the sinks with their schedules, in the order of the array.
    /// - Throws: every unknown key, unusable value and secret that cannot be read.
    public static func sinks(
        json: some Sequence<UInt8>, of plugins: [SinkPlugin], _ context: PluginContext
    ) throws(ConfigurationError) -> [SinkBinding] {
        let report = ProblemReport()
        let list = ConfigurationNode.Member(key: "sinks", node: try ConfigurationNode(json: json))
        if list.node.elements == nil { throw ConfigurationError("sinks", list.node.shown, "a list of sinks") }
        var root = TableDecoder(path: "", layers: [ConfigurationNode(.table([list]), .none)], report)
        let read = SinkConfiguration.decode(&root, plugins)
        var problems = report.problems.compactMap(\.problem)
        let sinks = problems.isEmpty ? SinkConfiguration.makeSinks(read, context, &problems) : []
        guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
        return sinks
    }
}

extension ConfigurationNode {
    /// Reads a JSON object.
    fileprivate init(json: some Sequence<UInt8>) throws(ConfigurationError) {
        do throws(JSONError) { self.init(try JSONValue.parse(json)) } catch {
            throw ConfigurationError("json", "byte \(error.offset)", error.message)
        }
    }

    private init(_ value: JSONValue) {
        let content: Content =
            switch value {
            case .null: .scalar(Scalar("null"))
            case .boolean(let isTrue): .scalar(Scalar(isTrue ? "true" : "false"))
            case .number(let number): .scalar(Scalar(Int(exactly: number).map { "\($0)" } ?? "\(number)"))
            case .string(let text): .scalar(Scalar(text, isQuoted: true))
            case .array(let elements): .list(elements.map { Self($0) })
            case .object(let members): .table(members.map { Member(key: $0.name, node: Self($0.value)) })
            }
        self.init(content, .none)
    }
}

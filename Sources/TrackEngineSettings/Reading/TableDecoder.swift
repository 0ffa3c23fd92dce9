public import TrackEngine

/// Reads the values of a table that may be spread over several layers; the highest layer that has a key wins.
///
/// It remembers the requested keys, so that all other keys can be reported as unknown, in every layer.
public struct TableDecoder {
    /// The table's own key, `sinks.home`, empty for the whole configuration.
    public let path: String
    package let report: ProblemReport
    private let layers: [ConfigurationNode]
    /// The origin of the table, even if its content is not a table.
    private let place: ConfigurationOrigin
    private var inherited: [ConfigurationNode.Member] = []
    private var knownKeys: [String] = []
    private var forgivesUnknownKeys = false

    /// A table with its layers, the highest first. Layers that are not tables are reported.
    package init(path: String, layers: [ConfigurationNode], _ report: ProblemReport) {
        self.path = path
        self.report = report
        place = layers.last?.origin ?? .none
        self.layers = layers.filter { layer in
            if layer.members != nil { return true }
            if !layer.isNull {
                // A text may be a secret in the wrong place.
                let shown = layer.text == nil ? layer.shown : "…"
                let hint = layer.text?.isKeyWithoutBlank == true ? ", and a blank after each colon" : ""
                report.add(ReportedProblem(layer.origin, problem(path, shown, "keys with values" + hint)))
            }
            return false
        }
    }

    /// Whether no layer has any key.
    public var isEmpty: Bool { layers.allSatisfy { $0.members?.isEmpty ?? true } }

    /// The full name of a key of this table.
    public func fullKey(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    /// The values of a key in all layers, the highest first.
    public mutating func nodes(_ key: String) -> [ConfigurationNode] {
        if !knownKeys.contains(key) { knownKeys.append(key) }
        return given(key)
    }

    /// The effective value of a key.
    public mutating func node(_ key: String) -> ConfigurationNode? { nodes(key).first }

    /// Reads a table within this one, reporting keys that `read` does not ask for.
    public mutating func table<Result>(_ key: String, _ read: (inout TableDecoder) -> Result) -> Result {
        var decoder = TableDecoder(path: fullKey(key), layers: nodes(key), report)
        let result = read(&decoder)
        decoder.reportUnknownKeys()
        return result
    }

    /// The keys that are present with their effective values, in order, for tables whose keys are chosen by the user.
    public mutating func allMembers() -> [ConfigurationNode.Member] {
        var members: [ConfigurationNode.Member] = []
        for member in layers.reversed().flatMap({ $0.members ?? [] }) {
            if let index = members.firstIndex(where: { $0.key == member.key }) {
                members[index] = member
            } else {
                members.append(member)
            }
        }
        knownKeys += members.map(\.key)
        return members
    }

    /// Reports the keys that were not requested. Their values are never shown: each may be a secret under a misspelled
    /// name.
    ///
    /// - Parameter elsewhere: the keys of other tables, in lower case, each with its table.
    package func reportUnknownKeys(elsewhere: [String: String] = [:]) {
        guard !forgivesUnknownKeys else { return }
        for member in layers.flatMap({ $0.members ?? [] }) where !knownKeys.contains(where: { member.isFor($0) }) {
            let key = fullKey(member.key.shownAsKey)
            let place = elsewhere[member.key.keyName.lowercased()].map { "a known key; it belongs under \($0)" }
            let problem = ConfigurationProblem(
                key: key, value: "…", expectation: place ?? expectation(of: member.key))
            report.add(ReportedProblem(member.node.origin, problem))
        }
    }

    /// The expectation for an unknown key.
    private func expectation(of unknown: String) -> String {
        let suggestion = Suggestion.nearest(to: unknown.keyName, in: knownKeys)
        if unknown.lacksBlank, let suggestion { return "a blank after the colon, as in \(suggestion): …" }
        return "a known key" + (suggestion.map { "; did you mean \($0)?" } ?? " (\(knownKeys.joined(separator: ", ")))")
    }

    /// Inherits values of other tables for those of these keys that no layer of the table has.
    package mutating func inherit(_ keys: [String], from members: [ConfigurationNode.Member]) {
        inherited = members.filter { keys.contains($0.key) }
    }

    /// Accepts unknown keys, because the type that defines them is itself unknown.
    public mutating func forgiveUnknownKeys() { forgivesUnknownKeys = true }

    /// Reports a problem with a key of this table, at the origin of the key, or else of the table.
    public func reject(_ key: String, _ value: String? = nil, _ expectation: String) {
        let node = given(key).first
        let origin = node?.origin ?? place
        let shown = value ?? node?.shown ?? "(missing)"
        report.add(ReportedProblem(origin, problem(fullKey(key), shown, expectation)))
    }

    /// Reports a problem that a source or sink itself found, at the nearest origin: that of `headers.X-Key`, of
    /// `headers`, or of the table.
    public func reject(_ problem: ConfigurationProblem) {
        let parts = problem.key.split(separator: ".").map(String.init)
        let node = parts.first.flatMap { given($0).first }
        let origin = node?.nearest(to: Array(parts.dropFirst())).origin ?? place
        report.add(
            ReportedProblem(
                origin,
                ConfigurationProblem(
                    key: fullKey(problem.key), value: problem.value, expectation: problem.expectation)))
    }

    private func given(_ key: String) -> [ConfigurationNode] {
        layers.compactMap { layer in layer.members?.last { $0.isFor(key) }?.node }
            + inherited.filter { $0.key == key }.map(\.node)
    }
}

private func problem(_ key: String, _ value: String, _ expectation: String) -> ConfigurationProblem {
    ConfigurationProblem(key: key.isEmpty ? "configuration" : key, value: value, expectation: expectation)
}

extension ConfigurationNode.Member {
    /// Whether this member has a value for a key.
    func isFor(_ key: String) -> Bool {
        self.key == key || (node.origin.foldsCase && self.key.lowercased() == key.lowercased())
    }
}

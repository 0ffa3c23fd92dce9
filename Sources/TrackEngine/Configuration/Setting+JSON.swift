// Settings as JSON objects, for programs in which no agent reads a configuration file.

extension RecordingConfiguration {
    /// Creates a configuration from a JSON object with the keys of an agent's section `tracking`: those of the
    /// properties, and `preset` with the name of a ``RecordingPreset``. Durations are in seconds; `null` switches an
    /// optional value off. Absent keys have their defaults.
    ///
    /// - Throws: ``ConfigurationError`` with every unknown key and unusable value.
    public init(json: some Sequence<UInt8>) throws(ConfigurationError) {
        self.init()
        var object = try JSONSettings(json)
        if let name = object.take("preset"), name != .null {
            let names = RecordingPreset.allCases.map(\.rawValue).joined(separator: ", ")
            let preset = name.string.flatMap(RecordingPreset.init)
            if let preset { preset.apply(to: &self) } else { object.reject("preset", name, names) }
        }
        object.read(Self.settings, into: &self)
        object.check.problems += problems
        try object.finish()
    }
}

extension SyncConfiguration {
    /// Creates a configuration from a JSON object with the keys of the properties. Durations are in seconds; `null`
    /// switches an optional value off. Absent keys have their defaults.
    ///
    /// - Throws: ``ConfigurationError`` with every unknown key and unusable value.
    public init(json: some Sequence<UInt8>) throws(ConfigurationError) {
        self.init()
        var object = try JSONSettings(json)
        object.read(Self.settings, into: &self)
        if let backoff = object.takeObject("backoff") {
            var part = JSONSettings(backoff, under: "backoff.")
            part.read(Backoff.settings, into: &self.backoff)
            object.check.problems += part.unknownKeys().check.problems
        }
        object.check.problems += problems
        try object.finish()
    }
}

extension RetentionConfiguration {
    /// Creates a configuration from a JSON object with the keys of the properties. Absent keys have their defaults.
    ///
    /// - Throws: ``ConfigurationError`` with every unknown key and unusable value.
    public init(json: some Sequence<UInt8>) throws(ConfigurationError) {
        self.init()
        var object = try JSONSettings(json)
        object.read(Self.settings, into: &self)
        object.check.problems += problems
        try object.finish()
    }
}

/// The members of a JSON object that have not been read yet, and the problems found.
package struct JSONSettings {
    private var members: [JSONValue.Member]
    private var knownKeys: [String] = []
    private let prefix: String
    package var check = ConfigurationCheck()

    package init(_ bytes: some Sequence<UInt8>) throws(ConfigurationError) {
        let value: JSONValue
        do throws(JSONError) { value = try JSONValue.parse(bytes) } catch {
            throw ConfigurationError("json", "byte \(error.offset)", error.message)
        }
        guard let members = value.members else {
            throw ConfigurationError("json", value.shown, "an object, {…}")
        }
        self.init(members, under: "")
    }

    init(_ members: [JSONValue.Member], under prefix: String) { (self.members, self.prefix) = (members, prefix) }

    /// Returns the value of a key, the last one if the key is repeated.
    mutating func take(_ key: String) -> JSONValue? {
        knownKeys.append(key)
        let value = members.last { $0.name == key }?.value
        members.removeAll { $0.name == key }
        return value
    }

    mutating func takeObject(_ key: String) -> [JSONValue.Member]? {
        guard let value = take(key) else { return nil }
        if value.members == nil { reject(key, value, "an object, {…}") }
        return value.members
    }

    mutating func reject(_ key: String, _ value: JSONValue, _ expectation: String) {
        check.problem(prefix + key, value.shown, expectation)
    }

    package mutating func read<Section>(_ settings: [Setting<Section>], into section: inout Section) {
        for setting in settings {
            guard let value = take(setting.name) else { continue }
            if let expectation = setting.rule.read(value, into: &section) { reject(setting.name, value, expectation) }
        }
    }

    /// Reports the members that were not read.
    func unknownKeys() -> JSONSettings {
        var object = self
        let keys = knownKeys.joined(separator: ", ")
        for member in members { object.reject(member.name, member.value, "one of the keys \(keys)") }
        return object
    }

    package func finish() throws(ConfigurationError) { try unknownKeys().check.finish() }
}

extension Setting.Rule {
    /// Reads a value of the right kind into its property; otherwise returns the expectation. The caller checks bounds
    /// afterwards, with the rules for values that a program sets.
    fileprivate func read(_ value: JSONValue, into section: inout Section) -> String? {
        switch self {
        case .flag(let path): return set(path, value.boolean, "true or false", &section)
        case .accuracy(let path):
            return set(path, DesiredAccuracy(value), "a name such as best, or -2, -1, 10, 100, 1000, 3000", &section)
        case .record(let path):
            let names = RecordingRule.allCases.map(\.rawValue).joined(separator: ", ")
            return set(path, value.string.flatMap(RecordingRule.init), names, &section)
        case .integer(let path, _, let unit):
            return set(path, value.number.flatMap(Int.init(exactly:)), "a whole number of \(unit)", &section)
        case .optionalInteger(let path, _, let unit):
            let number = value.number.flatMap(Int.init(exactly:))
            return setOptional(path, value, number, "a whole number of \(unit)", &section)
        case .limit(let path, _):
            return set(path, value.number.flatMap(Int64.init(exactly:)), "a whole number", &section)
        case .number(let path, _, let unit):
            return set(path, value.number, "a number\(unit.isEmpty ? "" : " of \(unit)")", &section)
        case .positive(let path, _, let unit): return set(path, value.number, "a number of \(unit)", &section)
        case .optionalPositive(let path, _, let unit):
            return setOptional(path, value, value.number, "a number of \(unit)", &section)
        case .seconds(let path, _): return set(path, value.seconds, "a number of seconds", &section)
        case .optionalSeconds(let path, _):
            return setOptional(path, value, value.seconds, "a number of seconds", &section)
        }
    }

    private func set<Value>(
        _ path: Setting<Section>.Path<Value>, _ value: Value?, _ expectation: String, _ section: inout Section
    ) -> String? {
        guard let value else { return expectation }
        section[keyPath: path] = value
        return nil
    }

    private func setOptional<Value>(
        _ path: Setting<Section>.Path<Value?>, _ json: JSONValue, _ value: Value?, _ expectation: String,
        _ section: inout Section
    ) -> String? {
        guard value != nil || json == .null else { return "\(expectation), or null" }
        section[keyPath: path] = value
        return nil
    }
}

extension DesiredAccuracy {
    /// Reads the name of a case, or its number.
    fileprivate init?(_ value: JSONValue) {
        let named = Self.allCases.first { "\($0)" == value.string }
        guard let accuracy = named ?? value.number.flatMap(Self.init) else { return nil }
        self = accuracy
    }
}

extension JSONValue {
    /// A number of seconds, to the nanosecond, clamped to what every bound rejects.
    fileprivate var seconds: Duration? {
        number.map { .nanoseconds(Int64((max(-1e9, min($0, 1e9)) * 1e9).rounded())) }
    }

    /// The form for messages.
    fileprivate var shown: String {
        switch self {
        case .null: "null"
        case .boolean(let value): "\(value)"
        case .number(let value): "\(value)"
        case .string(let text): text.quoted(atMost: 80)
        case .array: "[…]"
        case .object: "{…}"
        }
    }
}

/// What a key is for, what may stand under it, and what holds where it is not given.
///
/// It is made from a ``Field``, so it says what the reader checks and what the defaults are.
public struct KeyDescription: Sendable, Hashable {
    /// The key, from the section on: `backoff` and, among its ``parts``, `maximum`.
    public var key: String
    /// What it means, in a sentence.
    public var meaning: String
    /// What sort of value stands there.
    public var kind: ValueKind
    /// What a value must be like, with bounds and unit: `1 to 3600 seconds, or null`.
    public var expectation: String
    /// What holds where the key is not given; `nil` for a key that must be given.
    public var defaultValue: Shown?
    /// The keys under this one.
    public var parts: [KeyDescription]

    /// A description.
    public init(
        key: String, meaning: String, kind: ValueKind, expectation: String, defaultValue: Shown? = nil,
        parts: [KeyDescription] = []
    ) {
        self.key = key
        self.meaning = meaning
        self.kind = kind
        self.expectation = expectation
        self.defaultValue = defaultValue
        self.parts = parts
    }

    /// This key and all under it, each with its full key below a path: `sinks.mqtt.confirm`, `sinks.mqtt.confirm.topic`.
    package func flattened(under path: String) -> [KeyDescription] {
        var own = self
        own.key = path.isEmpty ? key : "\(path).\(key)"
        own.parts = []
        return [own] + parts.flatMap { $0.flattened(under: own.key) }
    }
}

extension Field {
    /// What the field reads, with the value that a section has for the default.
    public func description(in section: Section) -> KeyDescription {
        let mayBeNull = isOptional && !expectation.hasSuffix("null")  // some rules say it themselves, for messages
        return KeyDescription(
            key: name, meaning: meaning, kind: kind, expectation: expectation + (mayBeNull ? ", or null" : ""),
            defaultValue: isRequired ? nil : show(section), parts: parts(section))
    }
}

extension PluginSettings {
    /// Every key of the type, with its default.
    public static var keys: [KeyDescription] {
        let defaults = Self()
        return fields.map { $0.description(in: defaults) }
    }
}

/// The sorts of values, as the reference names them.
public enum ValueKind: String, Sendable, Hashable, CaseIterable {
    /// A number without a fraction.
    case wholeNumber = "whole number"
    /// A number.
    case number
    /// `true` or `false`.
    case flag
    /// One of some words.
    case word
    /// A text.
    case text
    /// A number of bytes.
    case size
    /// A point in time.
    case time
    /// A secret, or where it is kept.
    case secret
    /// Values in order.
    case list
    /// Values under keys.
    case table
}

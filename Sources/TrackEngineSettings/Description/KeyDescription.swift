/// The description of a key: its meaning, its valid values, and its default.
///
/// It is made from a ``Field``, so it always agrees with the reader's checks and the defaults.
public struct KeyDescription: Sendable, Hashable {
    /// The key, from the section on: `backoff` and, among its ``parts``, `maximum`.
    public var key: String
    /// The meaning of the key, in a sentence.
    public var meaning: String
    /// The kind of the value.
    public var kind: ValueKind
    /// The expectation for a value, with bounds and unit: `1 to 3600 seconds, or null`.
    public var expectation: String
    /// The default; `nil` for a required key.
    public var defaultValue: ConfigurationValue?
    /// The keys under this one.
    public var parts: [KeyDescription]

    /// A description.
    public init(
        key: String, meaning: String, kind: ValueKind, expectation: String, defaultValue: ConfigurationValue? = nil,
        parts: [KeyDescription] = []
    ) {
        self.key = key
        self.meaning = meaning
        self.kind = kind
        self.expectation = expectation
        self.defaultValue = defaultValue
        self.parts = parts
    }

    /// This key and all keys under it, each with its full key below a path: `sinks.mqtt.confirm`,
    /// `sinks.mqtt.confirm.topic`.
    package func flattened(under path: String) -> [KeyDescription] {
        var own = self
        own.key = path.isEmpty ? key : "\(path).\(key)"
        own.parts = []
        return [own] + parts.flatMap { $0.flattened(under: own.key) }
    }
}

extension Field {
    /// The description of the field, with the section's value as the default.
    public func description(in section: Section) -> KeyDescription {
        let mayBeNull = isOptional && !expectation.hasSuffix("null")  // some rules include it
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

/// The kinds of values, as the reference names them.
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
    /// A secret, or the location of one.
    case secret
    /// Values in order.
    case list
    /// Values under keys.
    case table
}

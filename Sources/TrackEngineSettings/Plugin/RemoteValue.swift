package import TrackEngine

/// A value for a key of the configuration, as requested by a remote user.
public struct RemoteValue: Sendable, Hashable {
    /// The key, `tracking.distanceFilter`.
    public var key: String
    /// The value as written in the configuration: a number or a word, `null` for off; ``asConfigured`` for none.
    public var text: String

    /// A value for a key.
    public init(_ key: String, _ text: String) {
        self.key = key
        self.text = text
    }

    /// Used in place of a value: restores the key's value from the configuration.
    public static let asConfigured = "asConfigured"

    /// The most values of a request.
    package static let maximumCount = 32
    /// The longest key or value, in bytes.
    package static let longest = 256

    /// The values of an object whose members are values or, one level deep, objects of values:
    /// `{"tracking": {"interval": 60}}` or `{"tracking.interval": 60}`. `nil` for any other JSON value, and for no
    /// values, too many or too long ones.
    package static func all(in object: JSONValue) -> [RemoteValue]? {
        guard let members = object.members else { return nil }
        var values: [RemoteValue] = []
        for member in members {
            let inner = member.value.members?.map { ("\(member.name).\($0.name)", $0.value) }
            for (key, value) in inner ?? [(member.name, member.value)] {
                guard let text = value.asConfigured, max(key.utf8.count, text.utf8.count) <= longest,
                    values.count < maximumCount
                else { return nil }
                values.append(RemoteValue(key, text))
            }
        }
        return values.isEmpty ? nil : values
    }
}

extension JSONValue {
    /// The text of a single value, as in a configuration; `nil` for lists and objects.
    fileprivate var asConfigured: String? {
        switch self {
        case .string(let text): text
        case .null, .boolean, .number: String(decoding: bytes, as: UTF8.self)
        case .array, .object: nil
        }
    }
}

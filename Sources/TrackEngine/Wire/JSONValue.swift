/// A JSON document in memory, for small answers and settings: a server's reply, a control request, a GeoJSON feature.
package enum JSONValue: Sendable, Hashable {
    case null
    case boolean(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    /// Members in the order of the text. A repeated name is kept; the subscript returns the last.
    case object([Member])

    /// A name and its value.
    package struct Member: Sendable, Hashable {
        package let name: String
        package let value: JSONValue

        package init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// An object of the members that have a value.
    package static func members(_ members: (String, JSONValue?)...) -> JSONValue {
        .object(members.compactMap { name, value in value.map { Member(name, $0) } })
    }

    /// A whole number; exact up to 2^53.
    package static func whole(_ value: some BinaryInteger) -> JSONValue { .number(Double(value)) }

    /// The value of an object's member; `nil` if there is none or this is not an object.
    package subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.name == name }?.value
    }

    /// The text of a string.
    package var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The value of a number, always finite.
    package var number: Double? {
        if case .number(let value) = self { value } else { nil }
    }

    /// The value of a boolean.
    package var boolean: Bool? {
        if case .boolean(let value) = self { value } else { nil }
    }

    /// The elements of an array.
    package var array: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The members of an object.
    package var members: [Member]? {
        if case .object(let members) = self { members } else { nil }
    }

    /// The value as ``write(to:)`` writes it.
    package var bytes: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }

    /// Writes the value compactly; numbers in Swift's shortest exact form.
    package func write(to writer: inout JSONWriter) {
        switch self {
        case .null: writer.raw("null")
        case .boolean(let value): writer.boolean(value)
        case .number(let value):
            if let whole = Int64(exactly: value) { writer.integer(whole) } else { writer.raw(value.description.utf8) }
        case .string(let text): writer.string(text)
        case .array(let elements): writer.array(elements) { $1.write(to: &$0) }
        case .object(let members):
            writer.raw("{")
            for (index, member) in members.enumerated() {
                if index > 0 { writer.raw(",") }
                writer.string(member.name)
                writer.raw(":")
                member.value.write(to: &writer)
            }
            writer.raw("}")
        }
    }
}

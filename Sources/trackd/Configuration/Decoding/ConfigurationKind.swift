import TrackEngine

/// The settings of one type of source or sink, as a table of fields.
package protocol ConfigurationKind: Sendable, Hashable {
    /// The word after `type:`.
    static var type: String { get }
    /// Its keys.
    static var fields: [Field<Self>] { get }
    /// The defaults.
    init()
    /// Reports what no single field can see: missing keys, contradictions.
    mutating func check(_ table: inout TableDecoder)
}

extension ConfigurationKind {
    package mutating func check(_ table: inout TableDecoder) {}

    /// Whether the other one is of the same type with the same values.
    func isEqual(to other: any ConfigurationKind) -> Bool { (other as? Self) == self }

    /// Reads the keys of this type.
    mutating func read(_ table: inout TableDecoder) {
        for field in Self.fields { field.read(&table, &self) }
        check(&table)
    }

    fileprivate var shown: [Shown.Member] {
        Self.fields.map { Shown.Member(key: $0.name, value: $0.show(self)) }
    }
}

extension TableDecoder {
    /// The type that the key `type` names; `nil` for none or an unknown one, which is reported.
    mutating func type<Kind>(of kinds: [Kind], _ word: (Kind) -> String) -> Kind? {
        let words = kinds.map(word)
        guard let node = node("type") else {
            reject("type", nil, words.inWords)
            return nil
        }
        guard let text = node.text, let index = words.firstIndex(of: text) else {
            let hint = node.text.flatMap { Suggestion.nearest(to: $0, in: words) }.map { "; did you mean \($0)?" }
            reject("type", nil, words.inWords + (hint ?? ""))
            return nil
        }
        return kinds[index]
    }

    /// Reads a source of the type that the table names.
    mutating func kind(of kinds: [any SourceKind.Type]) -> (any SourceKind)? {
        guard let type = type(of: kinds, { $0.type }) else {
            forgiveUnknownKeys()
            return nil
        }
        var kind = type.init()
        kind.read(&self)
        return kind
    }
}

extension Shown {
    /// A source or sink: type and name first, then what is particular to the type.
    static func kind(_ kind: any ConfigurationKind, name: String, _ common: [Member] = []) -> Shown {
        let type = Swift.type(of: kind).type
        let head = [Member(key: "type", value: .text(type)), Member(key: "name", value: .text(name))]
        return .table(head + kind.shown + common)
    }
}

/// Names for elements of a list: as given, or else after their type; each once.
struct UniqueNames {
    private var taken: Set<String> = []

    /// The name of the next element; one that was given and is taken is reported.
    mutating func next(_ type: String?, _ table: inout TableDecoder) -> String {
        if let name = table.text("name", .name) {
            if !taken.insert(name).inserted { table.reject("name", nil, "a name that no other one has") }
            return name
        }
        return next(type ?? "unknown")
    }

    /// The name of the next element of a type that was given none.
    private mutating func next(_ type: String) -> String {
        var name = type
        var number = 2
        while !taken.insert(name).inserted {
            name = "\(type)-\(number)"
            number += 1
        }
        return name
    }

    /// What messages call the elements of a list: by name if an element has one to itself, else by place.
    static func labels(of list: [ConfigurationNode]) -> [String] {
        let names = names(of: list)
        return list.indices.map { index in
            let isNamed = list[index].members?.contains { ["name", "type"].contains($0.key) } ?? false
            let isUnique = names.count { $0 == names[index] } == 1
            return isNamed && isUnique && TextRule.name.isSatisfied(by: names[index]) ? names[index] : "\(index)"
        }
    }

    /// What the elements of a list will be called, as far as the list itself says.
    static func names(of list: [ConfigurationNode]) -> [String] {
        var names = UniqueNames()
        return list.map { element in
            let given = element.members?.last { $0.key == "name" }?.node.text
            if let given {
                names.taken.insert(given)
                return given
            }
            return names.next(element.members?.last { $0.key == "type" }?.node.text ?? "unknown")
        }
    }
}

import TrackEngine

/// Names for elements of a list: as given, or else after their type; each once.
package struct UniqueNames {
    private var taken: Set<String> = []

    package init() {}

    /// The name of the next element; one that was given and is taken is reported.
    package mutating func next(_ type: String?, _ table: inout TableDecoder) -> String {
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
    package static func labels(of list: [ConfigurationNode]) -> [String] {
        let names = names(of: list)
        return list.indices.map { index in
            let isNamed =
                list[index].members?.contains { ["name", "type"].contains($0.key) && !$0.node.isNull } ?? false
            let isUnique = names.count { $0 == names[index] } == 1
            return isNamed && isUnique && TextRule.name.isSatisfied(by: names[index]) ? names[index] : "\(index)"
        }
    }

    /// What the elements of a list will be called, as far as the list itself says.
    package static func names(of list: [ConfigurationNode]) -> [String] {
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

import TrackEngine

/// Unique names for the elements of a list: the given name, or one derived from the type.
package struct UniqueNameList {
    private var taken: Set<String> = []

    package init() {}

    /// Returns the name of the next element. A given name that is already taken is reported.
    package mutating func next(_ type: String?, _ table: inout TableDecoder) -> String {
        if let name = table.text("name", .name) {
            if !taken.insert(name).inserted { table.reject("name", nil, "a name that no other one has") }
            return name
        }
        return next(type ?? "unknown")
    }

    /// Returns a name for the next element without a given name, from its type.
    private mutating func next(_ type: String) -> String {
        var name = type
        var number = 2
        while !taken.insert(name).inserted {
            name = "\(type)-\(number)"
            number += 1
        }
        return name
    }

    /// The labels of a list's elements in messages: the name if it is unique, otherwise the position.
    package static func labels(of list: [ConfigurationNode]) -> [String] {
        let names = names(of: list)
        return list.indices.map { index in
            let isNamed =
                list[index].members?.contains { ["name", "type"].contains($0.key) && !$0.node.isNull } ?? false
            let isUnique = names.count { $0 == names[index] } == 1
            return isNamed && isUnique && TextRule.name.isSatisfied(by: names[index]) ? names[index] : "\(index)"
        }
    }

    /// The names that the elements of a list will have, as far as the list itself determines them.
    package static func names(of list: [ConfigurationNode]) -> [String] {
        var names = UniqueNameList()
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

/// A value in one word: its storage is shared by copies until one of them is changed.
struct Box<Value: Sendable>: Sendable {
    /// Changed only while one box has it, so that tasks share nothing that changes. An array of one value needs no class,
    /// but the runtime's generic functions copy it, for every fix.
    private final class Storage: @unchecked Sendable {
        /// Not checked while the program runs: an access to the box is exclusive, and so is one to its only storage.
        @exclusivity(unchecked) var value: Value

        init(_ value: Value) { self.value = value }

        /// Copies the value once, and not by way of a parameter.
        init(_ other: Storage) { value = other.value }
    }

    private var storage: Storage

    init(_ value: Value) { storage = Storage(value) }

    var value: Value {
        _read { yield storage.value }  // a getter would copy the value
        _modify {
            if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage) }
            yield &storage.value
        }
    }
}

extension Box: Equatable where Value: Equatable {
    static func == (one: Box, other: Box) -> Bool { one.value == other.value }
}

extension Box: Hashable where Value: Hashable {
    func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

/// A value in one word: its storage is shared by copies until one of them is changed.
struct Box<Value: Sendable>: Sendable {
    /// Exactly one value. An array is changed in place while it has no other reference, and needs no unsafe code.
    private var storage: [Value]

    init(_ value: Value) { storage = [value] }

    var value: Value {
        _read { yield storage[0] }  // a getter would copy the value
        _modify { yield &storage[0] }
    }
}

extension Box: Equatable where Value: Equatable {}
extension Box: Hashable where Value: Hashable {}

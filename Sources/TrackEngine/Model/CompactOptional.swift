/// A number that may be unknown, in the size of the number: a `Double?` takes 16 bytes, this takes 8.
///
/// Fixes are copied at every step, and half the size is more than half the time: copies up to 128 bytes need no call.
/// Unknown is represented as NaN, which no known value is, and is never visible outside.
@frozen
@usableFromInline
struct CompactOptional<Number: BinaryFloatingPoint & Sendable & BitwiseCopyable>: Sendable, BitwiseCopyable {
    @usableFromInline let number: Number

    /// Stores a number; NaN counts as unknown.
    @inlinable
    init(_ value: Number?) { number = value ?? .nan }

    /// The number; `nil` if it is unknown.
    @inlinable var value: Number? { number.isNaN ? nil : number }
}

extension CompactOptional: Hashable {
    /// Two unknown numbers are equal, unlike two NaN.
    @inlinable
    static func == (left: CompactOptional, right: CompactOptional) -> Bool { left.value == right.value }

    @inlinable
    func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

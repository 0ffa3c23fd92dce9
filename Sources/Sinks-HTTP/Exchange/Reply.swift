/// What a receiver answered, as far as we look at it.
struct Reply: Sendable, Hashable {
    /// The most bytes of a body that are read.
    static let maximumBodyLength = 64 * 1024

    let status: Int
    /// The value of `Retry-After`.
    var retryAfter: String?
    /// The value of `Location`.
    var location: String?
    /// The body, at most ``maximumBodyLength`` bytes of it.
    var body: [UInt8] = []
    /// Whether the body went on.
    var isCut = false
}

/// What a receiver answered, as far as we look at it.
package struct Reply: Sendable, Hashable {
    /// The most bytes of a body that are read.
    package static let maximumBodyLength = 64 * 1024

    package let status: Int
    /// The value of `Retry-After`.
    package var retryAfter: String?
    /// The value of `Location`.
    package var location: String?
    /// The body, at most ``maximumBodyLength`` bytes of it.
    package var body: [UInt8]
    /// Whether the body went on.
    package var isCut = false

    package init(status: Int, body: [UInt8] = []) {
        self.status = status
        self.body = body
    }
}

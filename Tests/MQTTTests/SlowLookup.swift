import Foundation

/// A name server that does not answer until it is told to.
final class SlowLookup: @unchecked Sendable {
    // Whoever touches the two numbers holds the condition.
    private let condition = NSCondition()
    private var asked = 0
    private var isAnswering = false

    /// Hangs, as `getaddrinfo` does.
    func hang() {
        condition.withLock {
            asked += 1
            while !isAnswering { condition.wait() }
        }
    }

    /// Lets all lookups end, those to come included.
    func answer() {
        condition.withLock {
            isAnswering = true
            condition.broadcast()
        }
    }

    /// How many lookups have begun.
    var lookups: Int { condition.withLock { asked } }
}

import Foundation

/// A port that swallows packets: its socket listens, but as many connections as it holds wait for an `accept` that never
/// comes, so the kernel drops whatever else knocks (listen(2)).
package final class BlackHole: Sendable {
    package var port: Int { reserved.number }
    private let reserved: ReservedPort
    private let listener: Int32
    private let waiting: [Int32]

    /// - Parameter port: where; by default on a port of its own.
    /// - Throws: when the kernel lets everybody in all the same.
    package init(at address: (Int) -> LoopbackSocket.Address = { .ipv4($0) }, port: ReservedPort? = nil) throws {
        reserved = try port ?? ReservedPort()
        let address = address(reserved.number)
        listener = try LoopbackSocket.listen(at: address, backlog: 0)
        var waiting: [Int32] = []
        var isFull = false
        while !isFull, waiting.count < 64 {
            let (descriptor, isConnected) = LoopbackSocket.knock(at: address)
            waiting.append(descriptor)
            isFull = !isConnected
        }
        self.waiting = waiting
        guard isFull else { throw ReservationError(description: "\(address) takes every connection") }
    }

    deinit {
        for descriptor in waiting { close(descriptor) }
        close(listener)
    }
}

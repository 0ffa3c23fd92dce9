import Foundation

/// A port that swallows packets: its socket listens, but as many connections as it holds wait for an `accept` that never
/// comes, so the kernel drops whatever else knocks (listen(2)).
final class BlackHole: Sendable {
    let port: Int
    private let listener: Int32
    private let waiting: [Int32]

    /// - Throws: when the kernel lets everybody in all the same.
    init(at place: LoopbackListener.Place = .ipv4) throws {
        (listener, port) = try LoopbackListener.open(place, backlog: 0)
        var waiting: [Int32] = []
        var isFull = false
        while !isFull, waiting.count < 64 {
            let (descriptor, isConnected) = LoopbackListener.knock(at: place, port)
            waiting.append(descriptor)
            isFull = !isConnected
        }
        self.waiting = waiting
        guard isFull else { throw CocoaError(.featureUnsupported) }
    }

    deinit {
        for descriptor in waiting { close(descriptor) }
        close(listener)
    }
}

package import TrackEngine
package import TrackEngineSettings

extension HTTPExchange {
    /// Sends a body and reads the reply, all within a time.
    ///
    /// - Throws: what a drain has to do where no reply came.
    package func deliver(
        _ body: [UInt8], headers: [(name: String, value: String)], to endpoint: Endpoint, within limit: Duration,
        clock: any Clock<Duration>
    ) async throws(DeliveryError) -> Reply {
        do {
            return try await withDeadline(limit, clock: clock) {
                try await self.send(body, headers: headers, to: endpoint)
            }
        } catch {
            let failure = Task.isCancelled ? .cancelled : TransportFailure(error)
            throw failure.deliveryError(to: endpoint.origin)
        }
    }

    /// How the engine calls itself.
    package static let userAgent = "TrackEngine/0.1"
}

internal import Logging

/// The effects of a failed delivery: the status shown, and the time of the next delivery.
extension SinkDelivery {
    func note(_ error: DeliveryError) {
        logger.notice("delivery failed", metadata: ["sink": "\(sink.id)", "reason": "\(error.reason)"])
    }

    func failed(_ reason: String) {
        deliveries.lastFailure = wallClock()
        deliveries.failure = reason
    }

    func fail(_ reason: String, retryAfter: Duration?) {
        failed(reason)
        machine.failed(at: watch.now, retryAfter: retryAfter, using: &generator)
        deliveries.tried = machine.tried
    }

    func pause(_ reason: String) {
        failed(reason)
        machine.paused(at: watch.now)
        deliveries.tried = machine.tried
    }
}

import TrackEngine

/// The delivery under way, on the client's thread.
struct ActiveDelivery {
    let delivery: Delivery
    /// Tells its messages in flight from those of deliveries that were given up.
    let number: Int
    var progress: DeliveryProgress

    init(_ delivery: Delivery, number: Int) {
        self.delivery = delivery
        self.number = number
        progress = DeliveryProgress(count: delivery.messages.count)
    }

    /// Ends it because there is no connection to go on with.
    func interrupt(_ failure: MQTTFailure, next wait: Duration) {
        delivery.end(
            progress.interrupted(by: failure.deliveryError(next: wait, isUnderWay: progress.isUnderWay)))
    }
}

extension MQTTFailure {
    /// What the drain shall do while there is no connection: wait until there may be one, or for a person, or look for
    /// the record that ends each.
    ///
    /// - Parameter isUnderWay: whether records had been sent that were not acknowledged.
    func deliveryError(next wait: Duration, isUnderWay: Bool = false) -> DeliveryError {
        // Which message it was the broker does not say; the drain finds out by sending fewer.
        if kind == .messageRejected { return DeliveryError(.retrySuspectingRecord(after: wait), description) }
        // A broker that fails over a record may end the connection, with a word that is not about it or without, or never
        // acknowledge.
        switch kind {
        case .connectionLost, .timedOut, .protocolError:
            if isUnderWay { return DeliveryError(.retryUnanswered(after: wait), description) }
        default: break
        }
        return needsPerson ? DeliveryError(.pause, description) : DeliveryError(.retry(after: wait), description)
    }
}

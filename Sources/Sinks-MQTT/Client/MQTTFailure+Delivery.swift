import TrackEngine

extension MQTTFailure {
    /// What the drain shall do while there is no connection: wait until there may be one, or for a person, or look for
    /// the record that ends each.
    ///
    /// - Parameter isUnderWay: whether records had been sent that were not acknowledged.
    func deliveryError(next wait: Duration, isUnderWay: Bool = false) -> DeliveryError {
        // Which message it was the broker does not say; the drain finds out by sending fewer.
        if kind == .messageRejected { return DeliveryError(.retrySuspectingRecord(after: wait), description) }
        // A broker that fails over a record may end the connection, for another reason or without one, or never
        // acknowledge.
        switch kind {
        case .connectionLost, .timedOut, .protocolError:
            if isUnderWay { return DeliveryError(.retryUnanswered(after: wait), description) }
        default: break
        }
        return needsPerson ? DeliveryError(.pause, description) : DeliveryError(.retry(after: wait), description)
    }
}

/// Whether confirmations can reach this client on its connection. Records are sent only while they can.
enum Listening {
    /// No confirmation is wanted, or the broker has granted the subscription.
    case ready
    /// The broker was asked for the subscription. To `ready` or `refused` with its answer.
    case asked(since: Duration)
    /// The broker does not grant the subscription, for this reason. To `asked` when the next delivery begins.
    case refused(String)
    /// The client's subscriptions are paused (``BrokerRestrictions``). To `asked` when it subscribes again.
    case paused
}

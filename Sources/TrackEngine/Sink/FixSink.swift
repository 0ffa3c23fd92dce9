/// Where records go: a server, a broker, a file.
///
/// Each sink has a drain of its own in the tracker, which calls ``deliver(_:)`` with the oldest records first and never
/// twice at the same time, keeps them until the sink has settled them, and decides when to try again. A sink therefore
/// holds no queue and does no retries.
public protocol FixSink: Sendable {
    /// The sink's name, under which the store keeps its cursor.
    var id: SinkID { get }

    /// Which kinds of records the sink can carry; by default positions alone. Must not change.
    ///
    /// A record of another kind is settled for this sink in its turn without being offered to it.
    var kinds: RecordKinds { get }

    /// Whether the sink has something to send for a record; by default for those of its ``kinds``. Always the same for a record.
    func carries(_ record: TrackRecord) -> Bool

    /// Delivers a batch and says what became of it.
    ///
    /// Returning means: the receiver has confirmed what the receipt calls settled, whatever happens to this process
    /// next. A retry comes with the same batch, so it must give the same bytes. On cancellation it must throw promptly;
    /// the records then count as not delivered.
    ///
    /// - Throws: ``DeliveryError`` when nothing of the batch is known to be delivered; it says what to do next.
    func deliver(_ batch: RecordBatch) async throws(DeliveryError) -> Receipt

    /// Keeps up whatever the sink needs between deliveries (a connection, a presence), until cancelled.
    ///
    /// The tracker runs it beside the deliveries. Most sinks need nothing and use the default, which only waits.
    func run() async throws

    /// Releases what the sink holds. Whoever made the sink calls it once, after the tracker's last stop.
    func close() async
}

extension FixSink {
    /// Positions of the track.
    public var kinds: RecordKinds { .location }

    /// Records of the sink's kinds.
    public func carries(_ record: TrackRecord) -> Bool { kinds.contains(record.kind) }

    /// Waits until the task is cancelled.
    public func run() async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Never.self, bufferingPolicy: .bufferingNewest(1))
        for await _ in stream {}
        continuation.finish()
    }

    /// Nothing to release.
    public func close() async {}
}

/// Records to deliver, oldest first; never empty.
public struct RecordBatch: Sendable, Hashable {
    /// The records, in the order in which receivers shall see them.
    public let records: [TrackRecord]
    /// What is newer than the batch's records, so that a receiver can show where the object is now: the newest fix that
    /// the rule `deviation` has not decided about yet, with the cause ``RecordCause/requested``; else, when more
    /// records wait than fit this batch, the newest of them. It stays the same when the batch is tried again, and it is
    /// no part of what is settled.
    public let current: TrackRecord?
    /// Whether more records wait after these.
    public let isBacklog: Bool

    /// Makes a batch.
    ///
    /// - Parameters:
    ///   - records: what to deliver, at least one record, oldest first.
    ///   - current: what is newer.
    ///   - isBacklog: whether more records wait; by default whether there is something newer.
    public init(records: [TrackRecord], current: TrackRecord? = nil, isBacklog: Bool? = nil) {
        precondition(!records.isEmpty, "a batch has at least one record")
        self.records = records
        self.current = current
        self.isBacklog = isBacklog ?? (current != nil)
    }
}

/// What became of a batch.
public struct Receipt: Sendable, Hashable {
    /// How many records, from the first on, are settled: confirmed by the receiver, or listed in ``refused``.
    public let settled: Int
    /// Records within the settled ones that the receiver will never take, and why. The drain keeps them and offers them
    /// once more; they become dead letters when they are refused again while the receiver takes others.
    public let refused: [RecordID: String]

    /// Makes a receipt.
    public init(settled: Int, refused: [RecordID: String] = [:]) {
        self.settled = settled
        self.refused = refused
    }

    /// Everything was confirmed.
    public static func all(of batch: RecordBatch) -> Receipt {
        Receipt(settled: batch.records.count)
    }
}

/// Why a delivery failed, and what to do next.
public struct DeliveryError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What the drain does with the records, which it keeps in every case but a proven refusal.
    public enum Recovery: Sendable, Hashable {
        /// The way or the receiver is down: back off, then the same batch again. A receiver may say how long to wait.
        case retry(after: Duration? = nil)
        /// The receiver was reached but gave no answer of its own: it closed the connection before the answer was
        /// complete, or a gateway or a login page answered in its place. Back off as for ``retry(after:)``. After five
        /// failures in a row the next try carries a record from elsewhere in the queue; if the receiver takes that,
        /// search for the poison record.
        case retryUnanswered(after: Duration? = nil)
        /// The receiver failed, and the cause may be a record in the batch: back off as for ``retry(after:)``, and
        /// after three tries search for the poison record. It is blamed only if the receiver takes other records in
        /// between.
        case retrySuspectingRecord(after: Duration? = nil)
        /// The receiver did not answer in time: back off, then half as many records. Successes double the number again.
        /// A single record is treated as for ``retryUnanswered(after:)``.
        case retrySmaller
        /// The batch is too large for the receiver: halve it and remember the size. A single record is treated as for
        /// ``refused``.
        case tooLarge
        /// The receiver refuses the content: search for the poison record at once. A single record is dead when it is
        /// refused again and again directly after the receiver took others; while it takes none, everything is kept as
        /// for ``pause``.
        case refused
        /// Only a person can mend this (credentials, address): keep everything and look again now and then. From the
        /// sixth look on a record may be to blame, as for ``retryUnanswered(after:)``.
        case pause
    }

    /// What to do next.
    public let recovery: Recovery
    /// What happened, for people; free of secrets and positions.
    public let reason: String

    /// Makes an error.
    public init(_ recovery: Recovery, _ reason: String) {
        self.recovery = recovery
        self.reason = reason
    }

    /// The reason.
    public var description: String { reason }
}

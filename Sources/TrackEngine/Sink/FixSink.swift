/// A destination of records: a server, a broker, a file.
///
/// Each sink has its own delivery in the tracker, which calls ``deliver(_:)`` with the oldest records first and never
/// concurrently. It keeps records until the sink has settled them, and decides when to retry. A sink therefore has no
/// queue and does no retries.
public protocol FixSink: Sendable {
    /// The sink's name, under which the store keeps its cursor.
    var id: SinkID { get }

    /// The kinds of records that the sink can carry; by default positions alone. Must not change.
    ///
    /// A record of another kind is settled for this sink in its turn without being offered to it.
    var kinds: RecordKinds { get }

    /// Whether the sink sends a record; by default those of its ``kinds``. Always the same for a record.
    func carries(_ record: TrackRecord) -> Bool

    /// Delivers a batch and returns its outcome.
    ///
    /// Returning means: the server has confirmed the records that the receipt counts as settled, even if this process
    /// ends next. A retry has the same batch and must produce the same bytes. On cancellation the method must throw
    /// promptly; the records then count as not delivered.
    ///
    /// - Throws: ``DeliveryError`` when no record of the batch is known to be delivered; the error determines the next
    ///   step.
    func deliver(_ batch: RecordBatch) async throws(DeliveryError) -> Receipt

    /// Maintains resources that the sink needs between deliveries (a connection, a presence), until cancelled.
    ///
    /// The tracker runs it in parallel with the deliveries. Most sinks have no such resources and use the default,
    /// which only waits.
    func run() async throws

    /// Releases the sink's resources. The creator of the sink calls it once, after the tracker's last stop.
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

    /// Has no effect, because there are no resources.
    public func close() async {}
}

/// Records to deliver, oldest first; never empty.
public struct RecordBatch: Sendable, Hashable {
    /// The records, in the order in which servers must see them.
    public let records: [TrackRecord]
    /// A record newer than the batch's records, so that a server can show the object's present position. It is the
    /// newest fix that the rule `deviation` has not decided yet, with the cause ``RecordCause/requested``; otherwise,
    /// when more records wait than fit this batch, the newest of them. It stays the same when the batch is tried again,
    /// and it is not settled with the batch.
    public let current: TrackRecord?
    /// Whether more records wait after these.
    public let isBacklog: Bool

    /// Creates a batch.
    ///
    /// - Parameters:
    ///   - records: the records to deliver, at least one, oldest first.
    ///   - current: a newer record.
    ///   - isBacklog: whether more records wait; by default whether there is a newer one.
    public init(records: [TrackRecord], current: TrackRecord? = nil, isBacklog: Bool? = nil) {
        precondition(!records.isEmpty, "a batch has at least one record")
        self.records = records
        self.current = current
        self.isBacklog = isBacklog ?? (current != nil)
    }
}

/// The outcome of a delivered batch.
public struct Receipt: Sendable, Hashable {
    /// The number of records, from the first on, that are settled: confirmed by the server, or listed in ``refused``.
    public let settled: Int
    /// Records among the settled ones that the server will never accept, with the reasons. The tracker keeps them and
    /// offers them again; they become dead letters when they are refused again while the server accepts others.
    public let refused: [RecordID: String]

    /// Creates a receipt.
    public init(settled: Int, refused: [RecordID: String] = [:]) {
        self.settled = settled
        self.refused = refused
    }

    /// Returns a receipt for a completely confirmed batch.
    public static func all(of batch: RecordBatch) -> Receipt {
        Receipt(settled: batch.records.count)
    }
}

/// The reason why a delivery failed, and the next step.
public struct DeliveryError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The tracker's next step with the records, which it keeps except after a proven refusal.
    public enum Recovery: Sendable, Hashable {
        /// Back off, then try the same batch again. A server may specify the wait. Without evidence, no record is
        /// the reason: the connection or the server is down, or the server is busy.
        case retry(after: Duration? = nil, evidence: Evidence? = nil)
        /// The batch is too large for the server: halve it and remember the size. A single record is treated as for
        /// ``rejected``.
        case smaller
        /// The server refuses the content: search for the poison record at once. A single record becomes a dead
        /// letter when it is refused again and again directly after the server accepted others; while the server
        /// accepts none, all records are kept as for ``needsOperator``.
        case rejected
        /// Only a person can repair this (credentials, address): keep all records and try again now and then. From the
        /// sixth try on a record may be the reason, as for ``Evidence/silence``.
        case needsOperator
    }

    /// A failure that a record of the batch may have caused. It determines when the tracker searches for the poison
    /// record, which becomes a dead letter only if the server accepts other records in between.
    public enum Evidence: Sendable, Hashable {
        /// The server reported a failure of its own, as with HTTP's status 500. The search begins after three
        /// consecutive failures.
        case failure
        /// The server was reached but gave no answer of its own: it closed the connection before the answer was
        /// complete, or a gateway or a login page answered in its place. After five consecutive failures the next try
        /// carries a record from elsewhere in the queue; the search begins if the server accepts that.
        case silence
        /// The server did not answer in time. The next try has half as many records, and successes double the number
        /// again. A single record is treated as for ``silence``.
        case timeout
    }

    /// The next step.
    public let recovery: Recovery
    /// A description of the failure for people; free of secrets and positions.
    public let reason: String

    /// Creates an error.
    public init(_ recovery: Recovery, _ reason: String) {
        self.recovery = recovery
        self.reason = reason
    }

    /// The reason.
    public var description: String { reason }
}

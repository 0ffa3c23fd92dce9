/// Isolates the records that make a receiver reject deliveries: decides which records the next delivery has, and which
/// of them are poison.
///
/// The delivery asks ``portion(of:)`` before each delivery and reports its outcome to ``next(after:of:)``, or to
/// ``receive(_:refused:)`` if the receiver accepted some records and refused others. A pure value.
package struct RecordIsolation: Sendable {
    /// The records of a delivery.
    package enum Portion: Sendable, Hashable {
        /// The given number of records at the front of the batch.
        case first(Int)
        /// One record from elsewhere in the queue, after the first `accused` of the batch; `tried` others were
        /// rejected. With one less than ``maximumControls`` it is a record known to be good, if there is one.
        case control(accused: Int, tried: Int)
    }

    /// The outcome of a delivery of which the receiver accepted all records or none.
    package enum Outcome {
        /// The receiver accepted the first `count` records, or the control.
        case accepted(Int)
        /// The receiver refused each of these records individually, for these reasons.
        case refusedEach(ArraySlice<TrackRecord>, [RecordID: String])
        /// The delivery of these records failed as a whole.
        case failed(ArraySlice<TrackRecord>, DeliveryError)
        /// There was no delivery, because no record can serve as the control.
        case noControl
    }

    /// The action after a delivery.
    package enum Decision: Sendable, Hashable {
        /// Continue at once with the next portion.
        case goOn
        /// Wait as after any failure.
        case backOff
        /// Keep all records and try again now and then, because the receiver accepts none.
        case pause
        /// The given number of records at the front of the batch is poison.
        case dead(Int)
    }

    /// The number of consecutive rejected controls after which the receiver is taken to reject every record.
    package static let maximumControls = PoisonRecordSearch.maximumControls

    private var search = PoisonRecordSearch()
    /// The records that were rejected individually, with the reasons.
    private var rejections = RejectionLog()
    private var sampler = ControlSampler()

    package init() {}

    // MARK: Before a delivery

    /// Returns the next delivery of a batch with this many records.
    package func portion(of count: Int) -> Portion { search.portion(of: count) }

    /// The maximum number of records that the receiver has proved to accept at once.
    package var limit: Int { search.limit }

    /// Whether no record is under suspicion: only then may a delivery carry more than the portion's records.
    package var isCalm: Bool { search.isCalm }

    /// Whether a control is needed without knowledge about the portion, so that one of its own records is suitable.
    var isChecking: Bool { search.isChecking }

    /// Returns the next position in the queue at which to look for a control.
    mutating func controlPosition(after suspect: RecordSequence, newest: RecordSequence) -> RecordSequence {
        sampler.next(after: suspect, newest: newest)
    }

    /// Whether a record was rejected individually.
    package func hasRejected(_ record: TrackRecord) -> Bool { rejections.contains(record) }

    /// Returns the reason why a record is a dead letter; `nil` when it was not rejected individually.
    package func reason(for record: TrackRecord) -> String? { rejections.reason(for: record) }

    // MARK: After a delivery

    /// Returns the action after a delivery.
    package mutating func next(after outcome: Outcome, of portion: Portion) -> Decision {
        let decision = decision(after: outcome, of: portion)
        switch decision {
        case .backOff where !search.isSuspecting, .pause: rejections.removeAll()  // they prove no fault of a record
        case .goOn, .backOff, .dead: break
        }
        return decision
    }

    private mutating func decision(after outcome: Outcome, of portion: Portion) -> Decision {
        switch outcome {
        case .accepted(let count): return search.taken(count)
        case .refusedEach(let records, let reasons):
            note(records, reasons)
            return search.refusedEach(records.count, of: portion)
        case .failed(let records, let error): return failed(records, error, portion)
        case .noControl: return search.noControl()
        }
    }

    private mutating func failed(
        _ records: ArraySlice<TrackRecord>, _ error: DeliveryError, _ portion: Portion
    ) -> Decision {
        let rejection: PoisonRecordSearch.Rejection
        switch error.recovery {
        case .retry(_, evidence: nil):
            search.unreachable()
            return .backOff
        case .retry(_, evidence: .timeout):
            note(records, error, isVerdict: false)
            return search.wasTooSlow(portion)
        case .retry(_, evidence: .silence): rejection = .unanswered
        case .retry(_, evidence: .failure): rejection = .failed
        case .smaller: rejection = .tooLarge
        case .rejected: rejection = .refused
        case .needsOperator: rejection = isKnown(records) ? .refused : .paused
        }
        note(records, error, isVerdict: rejection < .unanswered)
        return search.rejected(portion, rejection)
    }

    /// Whether the receiver rejects only records that it has rejected individually before. Then the reason lies in the
    /// records, not in this client.
    private func isKnown(_ records: ArraySlice<TrackRecord>) -> Bool {
        !records.isEmpty && records.allSatisfy(rejections.isVerdict)
    }

    /// Notes a failure as the rejection of a record if it was delivered alone.
    private mutating func note(_ records: ArraySlice<TrackRecord>, _ error: DeliveryError, isVerdict: Bool) {
        guard records.count == 1, let record = records.first else { return }
        rejections.add(record, error.reason, isVerdict: isVerdict)
    }

    private mutating func note(_ records: ArraySlice<TrackRecord>, _ reasons: [RecordID: String]) {
        for record in records {
            if let reason = reasons[record.id] { rejections.add(record, reason, isVerdict: true) }
        }
    }

    /// Notes a receipt that accepts some records and refuses others, individually and for these reasons.
    ///
    /// Only repeated refusals are a proof, so a refused record is offered again with others for as many rounds as a
    /// proof needs. A receipt that accepts a record refused before proves no fault of any record.
    ///
    /// - Returns: the number of records, from the first on, that are accepted or proven to be poison.
    package mutating func receive(_ records: ArraySlice<TrackRecord>, refused: [RecordID: String]) -> Int {
        let isContradiction = records.contains { refused[$0.id] == nil && rejections.contains($0) }
        if isContradiction { search.contradicted() }
        let rounds = isContradiction ? Int.max : search.trust.rounds(for: .refused)
        // Also when there is no room to remember the rejection: then the record is offered again.
        let done = records.prefix { refused[$0.id] == nil || rejections.times($0) >= rounds }.count
        note(records, refused)
        if done > 0 { _ = search.taken(done) } else { search.tookOthers() }  // only a rejection produces dead letters
        return done
    }

    /// Forgets the rejections of records that are settled.
    package mutating func settled(_ records: [TrackRecord]) { rejections.remove(records) }

    /// Forgets all rejections because the queue is empty.
    package mutating func clear() {
        search.forget()
        rejections.removeAll()
    }
}

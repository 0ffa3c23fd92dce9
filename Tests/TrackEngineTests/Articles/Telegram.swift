import TrackEngine

struct Telegram: FixSink {
    let id: SinkID = "telegram"
    let wire: Wire

    func deliver(_ batch: RecordBatch) async throws(DeliveryError) -> Receipt {
        let answer: Wire.Answer
        do {
            answer = try await wire.send(batch.records.map(Telegram.line))
        } catch {
            throw DeliveryError(.retry(), "the wire is down")
        }
        switch answer {
        case .confirmed: return .all(of: batch)
        case .confirmedFirst(let count): return Receipt(settled: count)
        case .busy(let wait): throw DeliveryError(.retry(after: wait), "busy")
        case .tooLong: throw DeliveryError(.smaller, "the message is too long")
        case .nonsense: throw DeliveryError(.rejected, "the receiver cannot read the records")
        case .whoAreYou: throw DeliveryError(.needsOperator, "the receiver does not know this client")
        }
    }
}

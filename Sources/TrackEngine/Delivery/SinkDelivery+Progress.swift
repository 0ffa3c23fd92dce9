/// Settling records that the server has confirmed during a delivery.
extension SinkDelivery {
    /// The interval between two settlements of one delivery.
    static let progressInterval = Duration.seconds(1)

    /// Makes a delivery and returns its outcome. Records confirmed during the delivery are settled at most once a
    /// second.
    ///
    /// - Returns: `nil` if a pause has prevented or cancelled the delivery.
    func outcome(
        of batch: RecordBatch, _ portion: RecordIsolation.Portion
    ) async -> Result<Receipt, DeliveryError>? {
        guard !pauses.isClosed else { return nil }
        let attempt = Task { await carryOut(batch, portion) }
        (self.attempt, isInterrupted) = (attempt, false)
        let outcome = await withTaskCancellationHandler {
            await attempt.value
        } onCancel: {
            attempt.cancel()
        }
        self.attempt = nil
        if case .failure = outcome, isInterrupted { return nil }
        return outcome
    }

    private func carryOut(
        _ batch: RecordBatch, _ portion: RecordIsolation.Portion
    ) async -> Result<Receipt, DeliveryError> {
        delivery.begin()
        guard case .first = portion, batch.records.count > 1, let reporting = sink as? any ProgressReporting else {
            do throws(DeliveryError) { return .success(try await sink.deliver(batch)) } catch { return .failure(error) }
        }
        let confirmed = ConfirmationCount(limit: batch.records.count)
        return await withTaskGroup(of: Result<Receipt, DeliveryError>?.self) { group in
            group.addTask {
                do throws(DeliveryError) {
                    return .success(try await reporting.deliver(batch, reporting: { confirmed.raise(to: $0) }))
                } catch { return .failure(error) }
            }
            group.addTask { [self] in
                await settleRepeatedly(confirmed)
                return nil
            }
            var end: Result<Receipt, DeliveryError>?
            for await result in group where result != nil {
                end = result
                group.cancelAll()
            }
            // Records confirmed in the last second before a failure count like the others.
            if case .failure? = end { await settle(confirmed: confirmed.value) }
            return end ?? .failure(DeliveryError(.retry(), "cancelled"))  // unreachable: one child always ends
        }
    }

    private nonisolated func settleRepeatedly(_ confirmed: ConfirmationCount) async {
        while !Task.isCancelled {
            do { try await pause(Self.progressInterval) } catch { return }
            await settle(confirmed: confirmed.value)
        }
    }

    /// Settles the first `count` records of the delivery under way, as far as they are not settled.
    private func settle(confirmed count: Int) async {
        guard let settlement = delivery.settlement(confirmed: count, at: wallClock()), await settle(settlement) else {
            return
        }
        delivery.confirmed(count)
        deliveries.lastSuccess = wallClock()
    }
}

/// The number of confirmed records of a delivery, set by any thread.
private final class ConfirmationCount: Sendable {
    private let limit: Int
    private let state = SystemMutex(0)

    init(limit: Int) { self.limit = limit }

    var value: Int { state.withLock { $0 } }

    func raise(to count: Int) {
        state.withLock { $0 = max($0, min(count, limit)) }
    }
}

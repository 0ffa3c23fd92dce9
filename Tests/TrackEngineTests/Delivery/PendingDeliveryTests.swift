import Testing
import TrackEngine

@Suite("What is under way to a sink")
struct PendingDeliveryTests {
    private static let now = Timestamp(secondsSince1970: 0)

    private static func record(_ sequence: Int64) -> TrackRecord {
        let fix = Road.fix(Double(sequence))
        return TrackRecord(
            sequence: RecordSequence(rawValue: sequence),
            draft: RecordDraft(
                id: RecordID(device: "d", source: "s", fix: fix, cause: .distance), fix: fix, isMoving: true,
                cause: .distance, source: "s"))
    }

    private func holding(_ sequences: ClosedRange<Int64>) -> PendingDelivery {
        var delivery = PendingDelivery()
        delivery.hold(
            PendingBatch(origin: .queue, records: sequences.map(Self.record)), newest: nil, isBacklog: false)
        return delivery
    }

    private func numbers(_ records: [TrackRecord]) -> [Int64] { records.map(\.sequence.rawValue) }

    @Test
    func `the batch stays the same until all of it is settled`() {
        var delivery = holding(1...4)
        #expect(delivery.isHolding)
        #expect(numbers(delivery.batch(first: 3)?.records ?? []) == [1, 2, 3])
        delivery.settled([Self.record(1), Self.record(2)])
        #expect(numbers(delivery.records) == [3, 4])
        delivery.settled([Self.record(3), Self.record(4)])
        #expect(!delivery.isHolding)
        #expect(delivery.settlement(confirmed: 1, at: Self.now) == nil)
    }

    @Test
    func `what was taken ahead of its turn is not offered again, and is settled in its turn`() {
        var delivery = holding(1...4)
        delivery.tookAhead([Self.record(2)])
        #expect(numbers(delivery.offered) == [1, 3, 4])
        #expect(numbers(delivery.settlement(confirmed: 2, at: Self.now)?.records ?? []) == [1, 2, 3])
    }

    @Test
    func `progress settles what is newly confirmed, once`() throws {
        var delivery = holding(1...4)
        delivery.begin()
        let settlement = try #require(delivery.settlement(confirmed: 2, at: Self.now))
        #expect(numbers(settlement.records) == [1, 2])
        delivery.settled(settlement.records)
        delivery.confirmed(2)
        #expect(delivery.settlement(confirmed: 2, at: Self.now) == nil)
        #expect(numbers(delivery.settlement(confirmed: 3, at: Self.now)?.records ?? []) == [3])
    }

    @Test
    func `a refused record is kept, with what follows it, until it was refused often enough`() throws {
        var delivery = holding(1...4)
        let poison = Self.record(2)
        let records = delivery.records[...]
        let received = delivery.receive(records, refused: [poison.id: "no"], at: Self.now)
        let first = try #require(received)
        #expect(numbers(first.records) == [1])
        #expect(first.refused.isEmpty)
        delivery.settled(first.records)
        #expect(numbers(delivery.offered) == [2], "the others were taken ahead of their turn")
        _ = delivery.receive(delivery.offered[...], refused: [poison.id: "no"], at: Self.now)
        let again = delivery.receive(delivery.offered[...], refused: [poison.id: "no"], at: Self.now)
        let last = try #require(again)
        #expect(numbers(last.records) == [2, 3, 4])
        #expect(Array(last.refused.keys) == [poison.id])
    }

    @Test
    func `dead letters have the reason for which each was rejected, or the common one`() throws {
        var delivery = holding(1...3)
        let error = DeliveryError(.rejected, "bad time")
        _ = delivery.isolation.next(after: .failed([Self.record(1)], error), of: .first(1))
        let settlement = try #require(delivery.settlement(deadLetters: 2, otherwise: "refused", at: Self.now))
        #expect(numbers(settlement.records) == [1, 2])
        #expect(settlement.refused == [Self.record(1).id: "bad time", Self.record(2).id: "refused"])
    }

    @Test
    func `a control is the newest record, unless something is held against it`() {
        var delivery = holding(1...4)
        let accused = delivery.records[..<1]
        let newest = Self.record(9)
        #expect(delivery.controlPlace(beside: accused, newest: newest, tried: 0) == .record(newest))
        let failure = RecordIsolation.Outcome.failed([newest], DeliveryError(.retry(evidence: .silence), "no"))
        _ = delivery.isolation.next(after: failure, of: .control(accused: 1, tried: 0))
        #expect(delivery.controlPlace(beside: accused, newest: newest, tried: 0) == .spread)
        delivery.tookAhead([Self.record(3)])
        let last = RecordIsolation.maximumControls - 1
        #expect(
            delivery.controlPlace(beside: accused, newest: newest, tried: last)
                == .taken(RecordSequence(rawValue: 3)))
        delivery.clear()
        #expect(delivery.isUsable(newest, beside: accused))
        #expect(!delivery.isHolding)
    }
}

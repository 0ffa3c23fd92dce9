import TestSupport
import Testing
import TrackEngine
import TrackEngineMQTT
import TrackEngineTestKit

@Suite("What a delivery waits for, as a value")
struct ConfirmationProgressTests {
    private let ids = SampleRecords.records(count: 4).map(\.id)

    /// The places of the messages that are settled now.
    private func settled(_ awaited: inout ConfirmationProgress, at now: Duration = .zero) -> [Int] {
        awaited.takeConcluded(at: now).map(\.message)
    }

    @Test
    func `A message is settled once the broker has it and all its records are confirmed, in the order of the messages`()
    {
        var awaited = ConfirmationProgress(ids: ids, recordCounts: [2, 0, 1, 1])
        for message in 0..<4 { awaited.concluded(message, .taken) }
        #expect(awaited.confirm([ids[3], ids[0]]) == 2)
        #expect(settled(&awaited) == [])
        #expect(awaited.confirm([ids[0]]) == 0, "it was confirmed before")
        #expect(awaited.confirm([ids[1]]) == 1)
        #expect(settled(&awaited) == [0, 1])
        #expect(awaited.confirm([ids[2]]) == 1)
        #expect(settled(&awaited) == [2, 3])
    }

    @Test
    func `A record that is twice in a batch is settled both times`() {
        var awaited = ConfirmationProgress(ids: [ids[0], ids[1], ids[0]], recordCounts: [1, 1, 1])
        for message in 0..<3 { awaited.concluded(message, .taken) }
        #expect(awaited.confirm([ids[0], ids[1]]) == 2)
        #expect(settled(&awaited) == [0, 1, 2])
    }

    @Test
    func `What the delivery before had confirmed counts, and nothing older`() {
        var first = ConfirmationProgress(ids: ids, recordCounts: [1, 1, 1, 1])
        _ = first.confirm([ids[1], ids[3]])
        let second = ConfirmationProgress(ids: [ids[1], ids[2]], recordCounts: [1, 1], earlier: first)
        var third = ConfirmationProgress(ids: ids, recordCounts: [1, 1, 1, 1], earlier: second)
        for message in 0..<4 { third.concluded(message, .taken) }
        #expect(third.confirm([ids[0]]) == 1)
        #expect(settled(&third) == [0, 1])
        #expect(third.confirm([ids[2], ids[3]]) == 2)
        #expect(settled(&third) == [2, 3])
    }

    @Test
    func `The time runs while a message waits for the consumer alone, and anew after each confirmation`() {
        var awaited = ConfirmationProgress(ids: ids, recordCounts: [1, 1, 1, 1])
        func isOverdue(_ seconds: Int) -> Bool { awaited.isOverdue(at: .seconds(seconds), timeout: .seconds(30)) }
        _ = settled(&awaited, at: .seconds(0))
        #expect(!isOverdue(1000), "the broker has nothing yet")
        awaited.concluded(0, .taken)
        _ = settled(&awaited, at: .seconds(100))
        #expect(!isOverdue(130))
        #expect(isOverdue(131))
        awaited.concluded(1, .taken)
        _ = settled(&awaited, at: .seconds(120))
        #expect(isOverdue(131), "the broker's word is no confirmation")
        _ = awaited.confirm([ids[3]])
        _ = settled(&awaited, at: .seconds(125))
        #expect(!isOverdue(155))
        #expect(isOverdue(156))
        _ = awaited.confirm([ids[0], ids[1]])
        _ = settled(&awaited, at: .seconds(130))
        #expect(!isOverdue(1000), "the broker does not have the next one")
    }

    @Test(
        arguments: [
            ("", nil), ("null", nil), ("\"\"", nil), ("{}", nil), ("[", nil), ("[[]]", nil), ("[null]", nil),
            ("[]", []),
            ("89ABCDEF-0123-4567-89AB-CDEF01234567", [0x89AB_CDEF_0123_4567_89AB_CDEF_0123_4567]),
            (" 00000000-0000-0000-0000-00000000000a\n", [10]),
            (#"["00000000-0000-0000-0000-000000000001", "00000000-0000-0000-0000-000000000002"]"#, [1, 2]),
            (#"["00000000-0000-0000-0000-000000000001", 2]"#, nil), ("00000000-0000-0000-0000-00000000000", nil),
        ] as [(String, [UInt128]?)])
    func `A confirmation is an id or a list of ids, and nothing else`(_ text: String, _ expected: [UInt128]?) {
        let message = ReceivedMessage(topic: "confirmed", payload: Array(text.utf8))
        switch ConfirmationMessage.parse(message) {
        case .records(let ids): #expect(ids.map(\.rawValue) == expected)
        case .malformed: #expect(expected == nil)
        }
    }

    @Test
    func `Retained and overlong confirmations are malformed`() {
        func reason(_ message: ReceivedMessage) -> String? {
            guard case .malformed(let reason) = ConfirmationMessage.parse(message) else { return nil }
            return reason
        }
        var message = ReceivedMessage(topic: "confirmed", payload: Array("\(ids[0])".utf8))
        message.isRetained = true
        expectMessage(reason(message), as: "a retained confirmation")
        message.isRetained = false
        message.isTooLong = true
        expectMessage(reason(message), as: "a confirmation that is too long")
    }

    @Test
    func `Of many equal events one a minute is logged, with those between`() {
        var limit = LogLimiter(interval: .seconds(60))
        #expect(limit.note(1, at: .seconds(10)) == 1)
        #expect(limit.note(5, at: .seconds(20)) == nil)
        #expect(limit.note(2, at: .seconds(69)) == nil)
        #expect(limit.note(1, at: .seconds(70)) == 8)
        #expect(limit.note(1, at: .seconds(71)) == nil)
    }
}

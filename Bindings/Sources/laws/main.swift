import CTrackEngine
import Glibc
import TrackEngine
import TrackEngineC
import TrackEngineTestKit

// The laws of sources and sinks, for the source that a program pushes fixes to and for sinks that are callbacks.

/// A program's sink: its callback offers the records to a receiver, and reports on them.
final class Program: Sendable {
    let receiver: InMemoryReceiver
    let mood: SinkBench.Mood
    let table = DeliveryTable()
    /// Whether the report comes from another thread, after the callback has returned.
    let isLate: Bool

    init(_ receiver: InMemoryReceiver, _ mood: SinkBench.Mood, isLate: Bool) {
        (self.receiver, self.mood, self.isLate) = (receiver, mood, isLate)
    }

    /// The sink, which keeps the program as long as the process lives.
    var sink: CallbackSink {
        let callback = CallbackSink.Callback(
            function: { context, token, records, count in
                guard let context else { return }
                let program = Unmanaged<Program>.fromOpaque(context).takeUnretainedValue()
                program.take(token, UnsafeBufferPointer(start: records, count: count))
            }, context: Unmanaged.passRetained(self).toOpaque())
        return CallbackSink(id: "callback", table: table, callback: callback)
    }

    private func take(_ token: UInt64, _ records: UnsafeBufferPointer<te_record>) {
        let answer = receiver.offer(records.compactMap(ReceivedRecord.init), mood)
        let outcome: DeliveryTable.Outcome? =
            switch answer {
            case .taken: .success(Receipt(settled: records.count))
            case .unreachable: .failure(DeliveryError(.retry(), "no connection"))
            case .refused: .failure(DeliveryError(.rejected, "refused"))
            case .nothing: nil
            }
        guard let outcome else { return }
        let report: @Sendable () -> Void = { [table] in
            try? table.report(token) { _ in outcome }  // the token is no longer open after a cancellation
        }
        if isLate { Task.detached { report() } } else { report() }
    }
}

extension ReceivedRecord {
    /// A record with all that C sees of it.
    init?(_ record: te_record) {
        let id = withUnsafeBytes(of: record.id) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        guard let number = RecordID(id) else { return nil }
        let event = record.event.map { String(cString: $0) } ?? ""
        let numbers = "\(record.sequence) \(record.cause) \(record.flags) \(record.activity) \(record.odometer)"
        self.init(id: number, payload: "\(numbers) \(record.fix) \(event)")
    }
}

/// A source to which fixes are pushed until nobody takes them.
func pushedSource() -> any FixSource {
    let source = PushedSource(id: "pushed", timeBase: .arrival) {}
    Task.detached {
        var number = 0
        var refused = 0
        while refused < 1_000 {
            number += 1
            let coordinate = Coordinate(latitude: 52 + Double(number) * 1e-4, longitude: 13.4)
            let time = Timestamp(secondsSince1970: 1_772_359_200 + Int64(number))
            // A push that a cancelled run has not taken is refused; the next one waits for the next run.
            if await !source.push([Fix(time: time, coordinate: coordinate)]) { refused += 1 }
        }
    }
    return source
}

func demand(_ name: String, _ laws: some Laws) async throws -> Bool {
    let report = try await laws.report()
    print("\(name):\n\(report)")
    return report.violations.isEmpty
}

var isKept = true
for isLate in [false, true] {
    let bench = InMemoryReceiver().bench { Program($0, $1, isLate: isLate).sink }
    isKept = try await demand("sink, report \(isLate ? "later" : "at once")", SinkLaws(bench)) && isKept
}
isKept = try await demand("source", SourceLaws(fixes: 50, make: { pushedSource() })) && isKept
exit(isKept ? 0 : 1)

import CTrackEngine
import TrackEngine

/// A sink whose records a callback of the program delivers.
package struct CallbackSink: FixSink {
    package let id: SinkID
    package var kinds: RecordKinds { .all }
    let table: DeliveryTable
    let callback: Callback

    package init(id: SinkID, table: DeliveryTable, callback: Callback) {
        (self.id, self.table, self.callback) = (id, table, callback)
    }

    /// The program's function with its context.
    package struct Callback: @unchecked Sendable {  // the header demands that both may be used by any thread
        package typealias Function =
            @convention(c) (UnsafeMutableRawPointer?, UInt64, UnsafePointer<te_record>?, Int) -> Void

        let function: Function
        let context: UnsafeMutableRawPointer?

        package init(function: Function, context: UnsafeMutableRawPointer?) {
            (self.function, self.context) = (function, context)
        }

        /// Passes on records, the texts of their events in memory that lives as long as the call.
        func call(_ token: UInt64, _ records: [TrackRecord]) {
            let texts = records.map { $0.eventText }
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: texts.reduce(1) { $0 + $1.count }) { memory in
                var end = 0
                let records = zip(records, texts).map { record, text in
                    var record = te_record(record)
                    guard !text.isEmpty else { return record }
                    record.event = UnsafePointer(memory.baseAddress?.advanced(by: end))
                    for byte in text {
                        memory[end] = CChar(bitPattern: byte)
                        end += 1
                    }
                    return record
                }
                records.withUnsafeBufferPointer { function(context, token, $0.baseAddress, $0.count) }
            }
        }
    }

    package func deliver(_ batch: RecordBatch) async throws(DeliveryError) -> Receipt {
        let token = table.begin(batch.records.count)
        callback.call(token, batch.records)
        return try await table.outcome(of: token).get()
    }
}

extension TrackRecord {
    /// The JSON object of an event, with a zero byte; empty for a position.
    fileprivate var eventText: [UInt8] {
        guard content.kind != .location else { return [] }
        var writer = JSONWriter(capacity: 256)
        writer.event(content)
        // The first member has a comma before it.
        return [UInt8(ascii: "{")] + writer.bytes.dropFirst() + [UInt8(ascii: "}"), 0]
    }
}

extension te_record {
    /// A record for the program.
    init(_ record: TrackRecord) {
        self.init()
        size = UInt32(MemoryLayout<te_record>.size)
        cause = record.cause.number
        flags = (record.isMoving ? UInt8(TE_MOVING) : 0) | (record.event == nil ? 0 : UInt8(TE_MOTION_CHANGE))
        activity = record.activity?.activity.number ?? 0
        activity_confidence = record.activity?.confidence ?? 0
        sequence = record.sequence.rawValue
        odometer = record.odometer ?? .nan
        fix = te_fix(record.fix)
        withUnsafeMutableBytes(of: &id) { memory in
            for (index, byte) in record.id.description.utf8.prefix(memory.count - 1).enumerated() {
                memory[index] = byte
            }
        }
    }
}

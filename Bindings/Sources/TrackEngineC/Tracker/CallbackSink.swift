import CTrackEngine
import TrackEngine

/// A sink whose records a callback of the program delivers.
struct CallbackSink: FixSink {
    let id: SinkID
    let table: DeliveryTable
    let callback: Callback

    /// The program's function with its context.
    struct Callback: @unchecked Sendable {  // the header demands that both may be used by any thread
        let function: @convention(c) (UnsafeMutableRawPointer?, UInt64, UnsafePointer<te_record>?, Int) -> Void
        let context: UnsafeMutableRawPointer?

        func call(_ token: UInt64, _ records: [te_record]) {
            records.withUnsafeBufferPointer { function(context, token, $0.baseAddress, $0.count) }
        }
    }

    func deliver(_ batch: RecordBatch) async throws(DeliveryError) -> Receipt {
        let token = table.begin(batch.records.count)
        callback.call(token, batch.records.map { te_record($0) })
        return try await table.outcome(of: token).get()
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

import Foundation
import TrackEngine
import TrackEngineSettings

/// Appends a line for each record to a file: its id, time and place.
struct LineSink: FixSink {
    static let plugin = SinkPlugin(LineSettings.self)
    let id: SinkID
    let path: String

    func deliver(_ batch: RecordBatch) async throws(DeliveryError) -> Receipt {
        let lines = batch.records.map { record in
            let place = record.fix.coordinate
            return "\(record.id) \(record.fix.time) \(place.latitude) \(place.longitude)\n"
        }
        do { try append(Data(lines.joined().utf8)) } catch { throw DeliveryError(.retry(), "cannot write the file") }
        return .all(of: batch)
    }

    /// Returns when the lines survive whatever happens next. Half a line at the end, of an attempt that failed, goes.
    private func append(_ lines: Data) throws {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        let end = try file.seekToEnd()
        try file.seek(toOffset: end - min(end, 4096))
        let half = (try file.readToEnd() ?? Data()).reversed().prefix { $0 != UInt8(ascii: "\n") }
        try file.truncate(atOffset: end - UInt64(half.count))
        try file.write(contentsOf: lines)
        try file.synchronize()
        try FileHandle(forReadingFrom: URL(fileURLWithPath: path).deletingLastPathComponent()).synchronize()
    }
}

/// `{type: lines, path: /var/lib/tracks.txt}`
struct LineSettings: SinkSettings {
    static let type = "lines"
    static let summary = "A file with a line for each record."
    static let fields: [Field<Self>] = [
        .text("path", \.path, .absolutePath).required().meaning("The file to append to; made if it is missing.")
    ]

    var path = ""
    var readers: String? { "everyone with access to \(path)" }

    func makeSink(named name: SinkID, _ context: PluginContext) -> any FixSink { LineSink(id: name, path: path) }
}

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
        do {
            if !FileManager.default.fileExists(atPath: path) {
                guard
                    FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
                else { throw CocoaError(.fileWriteUnknown) }
            }
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            try file.seekToEnd()
            try file.write(contentsOf: Data(lines.joined().utf8))
            try file.synchronize()  // settled means that the lines survive whatever happens next
            try file.close()
        } catch {
            throw DeliveryError(.retry(), "cannot write the file")
        }
        return .all(of: batch)
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

    func makeSink(named name: SinkID, _ context: PluginContext) -> any FixSink { LineSink(id: name, path: path) }
}

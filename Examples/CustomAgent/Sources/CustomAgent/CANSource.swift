import Foundation
import TrackEngine
import TrackEngineSettings

/// Positions from a vehicle's CAN bus: NMEA 2000's "Position, Rapid Update" (PGN 129025) in the log that `candump -l`
/// writes, which is followed as it grows.
struct CANSource: FixSource {
    static let plugin = SourcePlugin(CANSettings.self)

    let id: SourceID
    let log: String

    func run(_ output: FixOutput) async throws {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: log))
        output.status(.receiving)
        var line: [UInt8] = []
        while true {
            for byte in try file.read(upToCount: 65_536) ?? Data() {
                if byte != UInt8(ascii: "\n") {
                    if line.count < 256 { line.append(byte) }  // no line of candump is as long
                    continue
                }
                if let fix = Self.fix(in: String(decoding: line, as: UTF8.self)) { try await output.emit(fix) }
                line.removeAll(keepingCapacity: true)
            }
            try await Task.sleep(for: .milliseconds(100))  // nothing tells when the log has grown
        }
    }

    /// The fix of a line such as `(1772359200.250000) can0 09F80101#2B4E8E1F0C4E9205`; `nil` for other messages.
    static func fix(in line: String) -> Fix? {
        let words = line.split(separator: " ")
        guard words.count == 3, let seconds = Double(words[0].dropFirst().dropLast()), abs(seconds) < 9e9 else {
            return nil
        }
        let frame = words[2].split(separator: "#")
        guard frame.count == 2, let identifier = UInt32(frame[0], radix: 16), identifier >> 8 & 0x3ffff == 129_025,
            let data = UInt64(frame[1], radix: 16), frame[1].count == 16
        else { return nil }
        // Two little-endian numbers of 32 bits, in units of 1e-7 degrees; the largest stands for "unknown".
        let latitude = Int32(bitPattern: UInt32(data >> 32).byteSwapped)
        let longitude = Int32(bitPattern: UInt32(truncatingIfNeeded: data).byteSwapped)
        guard latitude != .max, longitude != .max else { return nil }
        let coordinate = Coordinate(latitude: Double(latitude) * 1e-7, longitude: Double(longitude) * 1e-7)
        return Fix(time: Timestamp(nanosecondsSince1970: Int64(seconds * 1e9)), coordinate: coordinate)
    }
}

/// `{type: can, log: /var/log/candump.log}`
struct CANSettings: SourceSettings {
    static let type = "can"
    static let summary = "Positions from a vehicle's CAN bus."
    static let fields: [Field<Self>] = [
        .text("log", \.log, .absolutePath).required().meaning("The log that candump -l writes.")
    ]

    var log = ""

    func makeSources(named name: SourceID, _ context: PluginContext) -> [any FixSource] {
        [CANSource(id: name, log: log)]
    }
}

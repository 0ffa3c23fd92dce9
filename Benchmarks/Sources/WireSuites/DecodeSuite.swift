import CYardsticks
import CoreWorkloads
import Foundation
import Measure
import TrackEngine
import TrackEngineFiles

/// Files of recorded formats, from opening to the last fix.
public enum DecodeSuite {
    /// Each format in turns, gpsd's beside libgps.
    public static func rows() async throws -> [Row] {
        try await withTemporaryFolder { folder in
            let fixes = SampleTrack.fixes(50_000)
            let lines = fixes.map(\.gpsdLine)
            let nmea = try file(folder + "/drive.nmea", fixes.map(\.sentences))
            let gpsd = try file(folder + "/drive.json", lines)
            let gpx = try file(folder + "/drive.gpx", [gpxHead] + fixes.map(\.trackPoint) + ["</trkseg></trk></gpx>"])
            let timings = try await race(
                rounds: 7,
                [
                    reading(nmea, .nmea, units: fixes.count * 2, expecting: fixes.count),
                    reading(gpsd, .gpsd, units: fixes.count, expecting: fixes.count),
                    unpacking(lines), reading(gpx, .gpx, units: fixes.count, expecting: fixes.count),
                ])
            return [
                Row("Decode", "NMEA, a sentence", timings[0].best, target: .perSecond(2e6)),
                Row(
                    "Decode", "gpsd TPV, a line", timings[1].best, beside: ("libgps gps_unpack", timings[2].best),
                    target: .faster(5)),
                Row("Decode", "GPX, a point", timings[3].best),
            ]
        }
    }

    private static let gpxHead = """
        <?xml version="1.0"?><gpx version="1.1" creator="bench" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>
        """

    private static func file(_ path: String, _ lines: [String]) throws -> String {
        try (lines.joined(separator: "\n") + "\n").write(toFile: path, atomically: false, encoding: .utf8)
        return path
    }

    private static func reading(_ path: String, _ format: ReplayFormat, units: Int, expecting fixes: Int) -> Contender {
        Contender(units: units) {
            let file = try ReplayFile(path: path, options: ReplayOptions(format: format))
            var count = 0
            while let chunk = try file.next() { count += chunk.fixes.count }
            precondition(count == fixes, "\(path): \(count) fixes, expected \(fixes)")
        }
    }

    private static func unpacking(_ lines: [String]) -> Contender {
        let lines = lines.map { Array($0.utf8CString.dropLast()) }
        return Contender(units: lines.count) {
            for line in lines {
                let isTaken = line.withUnsafeBufferPointer { cyardsticks_gpsd_unpack($0.baseAddress, $0.count) }
                precondition(isTaken == 1, "libgps refused a line")
            }
        }
    }
}

extension Fix {
    /// RMC and GGA, as receivers send them each second.
    fileprivate var sentences: String {
        let clock = time.description.dropFirst(11).prefix(8).filter { $0 != ":" } + ".00"
        let day = time.description
        let date = day.dropFirst(8).prefix(2) + day.dropFirst(5).prefix(2) + day.dropFirst(2).prefix(2)
        let place = angle(coordinate.latitude, "%02d%08.5f,N") + "," + angle(coordinate.longitude, "%03d%08.5f,E")
        let movement = String(format: "%.2f,%.1f", (speed ?? 0) * 3600 / 1852, course ?? 0)
        return checked("GPRMC,\(clock),A,\(place),\(movement),\(date),,,A") + "\r\n"
            + checked("GPGGA,\(clock),\(place),1,11,0.90,\(String(format: "%.1f", altitude ?? 0)),M,39.2,M,,") + "\r"
    }

    private func angle(_ degrees: Double, _ format: String) -> String {
        String(format: format, Int(degrees), (degrees - Double(Int(degrees))) * 60)
    }

    private func checked(_ sentence: String) -> String {
        "$" + sentence + "*" + String(format: "%02X", sentence.utf8.reduce(0, ^))
    }

    /// A TPV object of gpsd 3.22.
    fileprivate var gpsdLine: String {
        let time = time.rfc3339(.milliseconds)
        return #"{"class":"TPV","device":"/dev/ttyACM0","mode":3,"time":"\#(time)","ept":0.005,"#
            + String(
                format:
                    #""lat":%.9f,"lon":%.9f,"altHAE":%.4f,"altMSL":%.4f,"alt":%.4f,"epx":3.119,"epy":4.236,"epv":5.520,"#,
                coordinate.latitude, coordinate.longitude, ellipsoidalAltitude ?? 0, altitude ?? 0, altitude ?? 0)
            + String(
                format:
                    #""track":%.4f,"magtrack":%.4f,"speed":%.3f,"climb":0.012,"eps":0.40,"epc":11.04,"eph":6.1,"sep":9.5}"#,
                course ?? 0, course ?? 0, speed ?? 0)
    }

    fileprivate var trackPoint: String {
        String(
            format: "<trkpt lat=\"%.7f\" lon=\"%.7f\"><ele>%.1f</ele><time>", coordinate.latitude, coordinate.longitude,
            altitude ?? 0) + time.rfc3339(.seconds) + "</time></trkpt>"
    }
}

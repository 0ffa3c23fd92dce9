internal import TrackEngine

/// Reads what `gpspipe -w` records: gpsd's JSON, one report a line. The TPV of one epoch become one fix.
///
/// A file with several devices would mix several tracks: the parser follows the device that has a position first and
/// changes over when that one has been silent for ten seconds of fix time. The first fix of another device that it leaves
/// out is reported.
struct GPSDParser: LineParser {
    /// gpsd's own bound is 10 240 bytes; longer lines are cut by it.
    static let maximumLineLength = 16_384

    private static let silence = Duration.seconds(10)

    /// The device that is followed, and what is known of it.
    private struct Followed {
        let device: [UInt8]
        var epoch: GPSDEpoch?
        var latest: Timestamp
    }

    private let names = GPSDReport.names
    private var followed: Followed?
    private var sky: (device: [UInt8], value: GPSDSky)?
    private var hasReportedOther = false

    mutating func parse(_ line: Span<UInt8>, number: Int, into chunk: inout ReplayChunk) {
        guard !line.trimmedRange.isEmpty, line[0] != UInt8(ascii: "#") else { return }
        guard let report = GPSDReport(line, names: names), let reportClass = report.reportClass else {
            return chunk.report(.malformed, line: number, "expected a gpsd report: an object with a class")
        }
        switch reportClass {
        case .other: return
        case .sky: addSky(report, line, into: &chunk)
        case .tpv: addPosition(report, line, number: number, into: &chunk)
        }
    }

    mutating func finish(into chunk: inout ReplayChunk) {
        closeEpoch(into: &chunk)
    }

    private mutating func addSky(_ report: GPSDReport, _ line: Span<UInt8>, into chunk: inout ReplayChunk) {
        let device = line.extracting(report.device ?? 0..<0)
        // SKY comes before or after its TPV. Of another device than the followed one it says nothing.
        if let followed, !device.isSame(as: followed.device) { return }
        // One that is later than the open epoch belongs to the next.
        if let open = followed?.epoch, let time = report.time, time > open.time { closeEpoch(into: &chunk) }
        if let sky, device.isSame(as: sky.device) {} else { sky = (device.copied(0..<device.count), GPSDSky()) }
        sky?.value.add(report)
    }

    private mutating func addPosition(
        _ report: GPSDReport, _ line: Span<UInt8>, number: Int, into chunk: inout ReplayChunk
    ) {
        guard let time = report.time else {
            if report.hasTime {
                chunk.report(.malformed, line: number, "TPV: expected the time as RFC 3339")
            } else if let mode = report.mode, mode >= 2 {
                chunk.report(.incomplete, line: number, "TPV: expected a time beside the position")
            }
            return
        }
        let device = line.extracting(report.device ?? 0..<0)
        if let followed, !device.isSame(as: followed.device) {
            guard time.duration(since: followed.latest) > Self.silence else {
                return leaveOut(report, number: number, into: &chunk)
            }
            closeEpoch(into: &chunk)
            self.followed = nil
        }
        add(report, time, device, into: &chunk)
    }

    private mutating func add(
        _ report: GPSDReport, _ time: Timestamp, _ device: Span<UInt8>, into chunk: inout ReplayChunk
    ) {
        if let open = followed?.epoch, open.time != time { closeEpoch(into: &chunk) }
        var epoch = followed?.epoch ?? GPSDEpoch(time: time)
        epoch.add(report)
        if followed == nil {
            guard epoch.hasFix else { return }
            followed = Followed(device: device.copied(0..<device.count), latest: time)
        }
        followed?.epoch = epoch
        followed?.latest = time
    }

    private mutating func leaveOut(_ report: GPSDReport, number: Int, into chunk: inout ReplayChunk) {
        guard !hasReportedOther, let mode = report.mode, mode >= 2 else { return }
        hasReportedOther = true
        chunk.report(.incomplete, line: number, "fixes of a second device are left out: expected one device a file")
    }

    private mutating func closeEpoch(into chunk: inout ReplayChunk) {
        guard let epoch = followed?.epoch else { return }
        followed?.epoch = nil
        let current = sky.flatMap { $0.value.describes(epoch.time) && $0.device == followed?.device ? $0.value : nil }
        if let fix = epoch.fix(current) { chunk.fixes.append(fix) }
    }
}

extension Span<UInt8> {
    @inline(__always)
    fileprivate func isSame(as other: [UInt8]) -> Bool {
        guard count == other.count else { return false }
        for index in 0..<count where self[index] != other[index] { return false }
        return true
    }
}

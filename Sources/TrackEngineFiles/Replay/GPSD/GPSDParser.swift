internal import GPSDProtocol
internal import TrackEngine

/// Reads the output of `gpspipe -w`: gpsd's JSON, one report per line. The TPV reports of one epoch become one fix,
/// and so do those of POLL. The time that `gpspipe -t` puts before each line is ignored.
///
/// A file with several devices would mix several tracks: the parser follows the device that has a position first and
/// changes over when that one has gone or had no position for ten seconds of fix time. The first fix of another device
/// that it leaves out is reported.
struct GPSDParser: LineParser {
    /// gpsd's own bound is 10 240 bytes; longer lines are cut by it.
    static let maximumLineLength = 16_384

    private var decoder = ReportDecoder()
    private var choice = DeviceChoice(device: nil, patience: .seconds(10))
    private var merger = EpochMerger()
    private var clock = RecordedClock()
    private var devices = TrackDeviceChoice()

    mutating func parse(_ line: Span<UInt8>, number: Int, into chunk: inout TrackChunk) {
        guard !line.trimmedRange.isEmpty, line[0] != UInt8(ascii: "#") else { return }
        do {
            take(try decoder.decode(line.extracting(line.startOfReport..<line.count)), line: number, into: &chunk)
        } catch {
            chunk.report(.malformed, line: number, error.message)
        }
    }

    mutating func finish(into chunk: inout TrackChunk) {
        deliver(merger.flush(), line: nil, into: &chunk)
    }

    private mutating func take(_ report: consuming Report, line: Int, into chunk: inout TrackChunk) {
        switch consume report {
        case .position(let position): take(position, line: line, into: &chunk)
        case .sky(let sky):
            guard choice.isCandidate(sky.device) else { return }
            deliver(merger.add(sky, at: clock.advance(to: sky.time)), line: line, into: &chunk)
        case .poll(let positions, let skies):
            for sky in skies { take(.sky(sky), line: line, into: &chunk) }
            for position in positions { take(position, line: line, into: &chunk) }
        case .device(let path, isActive: false): choice.remove(path)
        case .device, .devices, .version, .watch, .error, .other: return
        }
    }

    private mutating func take(_ position: consuming PositionReport, line: Int, into chunk: inout TrackChunk) {
        if position.hasMalformedTime {
            return chunk.report(.malformed, line: line, "TPV: expected the time as RFC 3339")
        }
        let now = clock.advance(to: position.time)
        guard choice.takes(position, at: now) else {
            if position.mode != nil { devices.reportOther(line: line, into: &chunk) }
            return
        }
        deliver(merger.add(position, at: now), line: line, into: &chunk)
    }

    private mutating func deliver(_ outcome: EpochMerger.Outcome?, line: Int?, into chunk: inout TrackChunk) {
        switch outcome {
        case .fix(let fix): chunk.fixes.append(fix)
        case .noFix, nil: break
        case .timeless: chunk.report(.incomplete, line: line, "TPV: expected a time with the position")
        }
    }
}

extension Span<UInt8> {
    /// The begin of a line's object: behind a time, if there is one, or the zeros of a power cut. Bytes that could be a
    /// part of another object are not skipped.
    var startOfReport: Int {
        guard let start = offset(of: UInt8(ascii: "{"), from: 0) else { return 0 }
        for index in 0..<start where (1..<0x20).contains(self[index]) || "\"[]}".utf8.contains(self[index]) { return 0 }
        return start
    }
}

/// The clock of a recording: the time of the latest report that has one, as a duration since the first.
private struct RecordedClock {
    private var start: Timestamp?
    private var now = Duration.zero

    mutating func advance(to time: Timestamp?) -> Duration {
        if let time {
            let start = start ?? time
            self.start = start
            now = time.duration(since: start)
        }
        return now
    }
}

import GPSDProtocol
import TrackEngine
import TrackEngineFiles
import TrackEngineGPSD

extension FuzzTarget {
    /// What a gpsd says: framing, decoding by libgps, the session and the merging of epochs.
    static let gpsdLines = FuzzTarget(name: "gpsd-lines") { bytes in
        var splitter = GPSDLineSplitter()
        var decoder = LibgpsDecoder()
        var session = GPSDSession(GPSDSource.Configuration(), demand: .continuous, at: .zero)
        var lines: [[UInt8]] = []
        splitter.append(bytes) { piece in
            if case .line(let line) = piece { lines.append(line) }
        }
        var now = Duration.zero
        for line in lines {
            now += .milliseconds(250)
            do {
                _ = session.received(try decoder.decode(line), at: now)
            } catch {
                continue  // malformed: it is reported and passed over
            }
            if now >= session.deadline { _ = session.timeout(at: now) }
        }
        _ = session.lastWords(at: now)
    }

    /// Recorded tracks, a target for each format. The first byte chooses how the rest is cut into pieces.
    static let replay: [FuzzTarget] = ReplayFormat.allCases.map { format in
        FuzzTarget(name: "replay-\(format.name)") { bytes in
            guard let first = bytes.first else { return }
            let content = Array(bytes.dropFirst())
            var decoder = format.makeDecoder()
            var chunk = TrackChunk()
            let length = first == 0 ? max(1, content.count) : Int(first)
            var start = 0
            while start < content.count {
                let end = min(content.count, start + length)
                decoder.decode(content.span.extracting(start..<end), into: &chunk)
                start = end
            }
            decoder.finish(into: &chunk)
            precondition(chunk.fixes.count + chunk.problems.count <= content.count + 2, "fixes out of nothing")
        }
    }
}

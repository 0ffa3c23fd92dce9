// Logs have more readers than the track: a description contains a position only on request.

extension Fix: CustomStringConvertible {
    /// Time, speed and accuracy; no position.
    public var description: String { description(revealingPosition: false) }

    /// Time, speed and accuracy, with the position on request:
    /// `2026-03-01T10:00:00.000Z at 52.52, 13.405, 13.9 m/s, within 3 m`.
    public func description(revealingPosition: Bool) -> String {
        var parts = [time.rfc3339() + (revealingPosition ? " at \(coordinate.inDegrees)" : "")]
        if let speed { parts.append("\(speed.text(decimals: 1)) m/s") }
        if let accuracy = horizontalAccuracy { parts.append("within \(accuracy.text(decimals: 1)) m") }
        return parts.joined(separator: ", ")
    }
}

extension RecordDraft: CustomStringConvertible {
    /// Id, cause, source and fix; no position.
    public var description: String { description(revealingPosition: false) }

    /// Id, cause, source and fix, with the position on request.
    public func description(revealingPosition: Bool) -> String {
        "\(id) \(cause.name) from \(source), \(isMoving ? "moving" : "still"): "
            + fix.description(revealingPosition: revealingPosition)
    }
}

extension TrackRecord: CustomStringConvertible {
    /// Sequence, id, cause, source and fix; no position.
    public var description: String { description(revealingPosition: false) }

    /// Sequence, id, cause, source and fix, with the position on request.
    public func description(revealingPosition: Bool) -> String {
        "#\(sequence) \(draft.description(revealingPosition: revealingPosition))"
    }
}

extension Coordinate {
    /// Latitude and longitude in degrees with at most six decimals, a tenth of a metre.
    fileprivate var inDegrees: String { "\(latitude.text(decimals: 6)), \(longitude.text(decimals: 6))" }
}

extension Double {
    /// The number with at most this many decimals and no trailing zeros.
    fileprivate func text(decimals: Int) -> String {
        var bytes: [UInt8] = []
        bytes.appendFixed(self, decimals: decimals)
        return String(decoding: bytes, as: UTF8.self)
    }
}

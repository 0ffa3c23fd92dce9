import TrackEngine

/// A pause as it is saved for later runs of the agent, with its remaining time by clocks that may be wrong. A pure
/// value.
///
/// While the machine runs, its uptime counts, regardless of jumps of the time of day. After another start the time of
/// day counts, unless it cannot be right; then at least the uptime counts. No pause therefore lasts longer than its
/// length after a start.
///
/// | pause | then | clock | uptime | remains |
/// |---|---|---|---|---|
/// | 12:00, 2 h | same start | 1970 | 30 min later | 90 min |
/// | 12:00, 2 h | another start | 13:00 | 1 min | 60 min |
/// | 12:00, 2 h | another start | 1970, or years ahead | 1 min | 119 min |
/// | 12:00, 2 h | another start | 1970 | 2 h | 0 min |
/// | 1970, 2 h | another start | today | 1 min | 119 min |
package struct SavedPause: Sendable, Hashable {
    /// The clocks at its beginning.
    package var begin: MachineTime
    /// Its length; `nil` if it lasts until it is resumed.
    package var length: Duration?
    /// Whether the pause was resumed, and the agent has not completed that yet.
    package var isEnded = false

    /// Makes a pause that begins at a moment.
    package init(from begin: MachineTime, for length: Duration?) {
        self.begin = begin
        self.length = length
    }

    /// The permitted lengths of a pause that ends by itself: a minute to thirty days.
    package static let lengths = Duration.seconds(60)...Duration.seconds(30 * 86_400)

    /// The expectation of a length, in words that complete "expected …".
    package static let lengthExpectation = "1 minute to 30 days, such as 15m, 2h or 7d"

    // MARK: Time

    /// The remaining time of a pause.
    package enum Rest: Sendable, Hashable {
        /// The pause is over.
        case over
        /// The pause ends by itself after this time.
        case lasts(Duration)
        /// The pause lasts until it is resumed.
        case untilResumed
    }

    /// Returns the remaining time.
    package func rest(at now: MachineTime) -> Rest {
        if isEnded { return .over }
        guard let length else { return .untilResumed }
        let rest = length - elapsed(at: now, length: length)
        return rest > .zero ? .lasts(min(rest, length)) : .over
    }

    private func elapsed(at now: MachineTime, length: Duration) -> Duration {
        if isSameStart(now) { return max(.zero, now.uptime - begin.uptime) }
        // The machine was restarted after the pause had begun.
        guard isBelievable(now.wall, length) else { return now.uptime }
        return max(now.uptime, now.wall.duration(since: begin.wall))
    }

    private func isSameStart(_ now: MachineTime) -> Bool { !now.boot.isEmpty && now.boot == begin.boot }

    /// Whether the time of day can be right: after the beginning, which must be plausible itself, and at most 366
    /// days after the end. Beyond that, a wrong clock is likelier than a machine that was off for a year.
    private func isBelievable(_ wall: Timestamp, _ length: Duration) -> Bool {
        let span = wall.duration(since: begin.wall)
        return begin.wall >= .earliestClock && span >= .zero && span <= length + .seconds(366 * 86_400)
    }

    /// The pause with its beginning by a wall clock that was corrected since; `nil` if it differs by at most a minute.
    package func corrected(at now: MachineTime) -> SavedPause? {
        guard isSameStart(now) else { return nil }
        let wall = now.wall.advanced(by: begin.uptime - now.uptime)
        let difference = wall.duration(since: begin.wall)
        guard difference > .seconds(60) || difference < .seconds(-60) else { return nil }
        var corrected = self
        corrected.begin.wall = wall
        return corrected
    }
}

// MARK: - In the file

extension SavedPause {
    /// The version of the file format.
    private static let version = 1.0

    /// A JSON object on one line.
    package var bytes: [UInt8] {
        var writer = JSONWriter(capacity: 256)
        JSONValue.members(
            ("version", .number(Self.version)), ("since", begin.wall.json), ("boot", .string(begin.boot)),
            ("uptime", .whole(begin.uptime.components.seconds)),
            ("seconds", length.map { .whole($0.components.seconds) }), ("ended", isEnded ? .boolean(true) : nil)
        ).write(to: &writer)
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    /// Reads the output of ``bytes``; `nil` for any other content.
    package init?(_ bytes: [UInt8]) {
        // The kind of error does not matter: this program has not written the file.
        guard let json = try? JSONValue.parse(bytes, maximumDepth: 2), json["version"]?.number == Self.version,
            let since = json["since"]?.string.flatMap({ Timestamp(rfc3339: $0) }),
            let uptime = json["uptime"]?.number, (0...1e12).contains(uptime), let boot = json["boot"]?.string
        else { return nil }
        self.init(from: MachineTime(wall: since, uptime: .seconds(Int64(uptime)), boot: boot), for: nil)
        if let length = json["seconds"] {
            guard let seconds = length.number, (0...1e8).contains(seconds) else { return nil }
            self.length = .seconds(Int64(seconds))
        }
        isEnded = json["ended"]?.boolean ?? false
    }
}

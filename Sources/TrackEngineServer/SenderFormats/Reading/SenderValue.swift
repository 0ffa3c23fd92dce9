import TrackEngine
import TrackEngineFiles
import TrackEngineHistory

/// The values of senders in JSON: many write numbers as texts, and one writes a boolean for the battery's state.
extension JSONValue {
    /// A number, also as a text.
    var senderNumber: Double? { number ?? string.flatMap(Double.init(sent:)) }

    /// A text, also a number in its place: names of devices are written as either.
    var senderText: String? {
        switch self {
        case .string(let text): text.isEmpty ? nil : text
        case .number(let number): Int64(exactly: number).map(String.init)
        case .null, .boolean, .array, .object: nil
        }
    }

    /// A boolean, also as a text or as 0 and 1.
    var senderBoolean: Bool? {
        switch self {
        case .boolean(let value): value
        case .number(let number): number == 0 ? false : number == 1 ? true : nil
        case .string(let text): Bool(sent: text)
        case .null, .array, .object: nil
        }
    }

    /// A moment: RFC 3339, or a number since 1970 with a unit that follows from its magnitude.
    var senderTime: Timestamp? {
        switch self {
        case .number(let number): Timestamp(sent: number)
        case .string(let text): Timestamp(sent: text)
        case .null, .boolean, .array, .object: nil
        }
    }
}

extension StringProtocol {
    /// True for the texts that senders and their templates write for an unknown value.
    var saysNothing: Bool {
        ["", "-", "n/a", "nan", "nil", "none", "null", "unavailable", "undefined", "unknown"].contains(
            trimmingBlanks.lowercased())
    }
}

extension Double {
    /// A number as senders write it: decimal digits, a point, a sign, an exponent. Swift itself would also read
    /// hexadecimal numbers and "nan".
    init?(sent text: some StringProtocol) {
        let digits = "0123456789+-.eE".utf8
        let text = text.trimmingBlanks
        guard text.utf8.count <= 40, text.utf8.allSatisfy(digits.contains), let value = Double(text), value.isFinite
        else {
            return nil
        }
        self = value
    }
}

extension Bool {
    /// `true`, `1`, `yes` or `on`, `false`, `0`, `no` or `off`, or their first letter, in upper or lower case.
    init?(sent text: some StringProtocol) {
        switch text.lowercased() {
        case "true", "1", "yes", "on", "t", "y": self = true
        case "false", "0", "no", "off", "f", "n": self = false
        case _: return nil
        }
    }
}

extension StringProtocol {
    /// The text without blanks and line ends around it.
    fileprivate var trimmingBlanks: SubSequence {
        let isBlank = { (character: Character) in character == " " || character.isNewline }
        let begin = firstIndex { !isBlank($0) } ?? endIndex
        let end = lastIndex { !isBlank($0) }.map { index(after: $0) } ?? begin
        return self[begin..<end]
    }
}

extension Timestamp {
    /// A moment from a number since 1970; `nil` for one that no sender means: see ``isSent``.
    init?(sent number: Double) {
        guard let time = Timestamp(unixNumber: number), time.isSent else { return nil }
        self = time
    }

    /// A moment from a text: RFC 3339, the same without an offset (which is UTC then), or a number. In a form, the
    /// plus sign of an offset has become a blank.
    init?(sent text: some StringProtocol) {
        let text = String(text.trimmingBlanks)
        guard text.utf8.count <= 64 else { return nil }
        let found =
            Timestamp(rfc3339: text) ?? Timestamp(rfc3339: text + "Z") ?? Double(sent: text).flatMap(Self.init(sent:))
            ?? text.lastIndex(of: " ").flatMap { blank in
                Timestamp(rfc3339: text[..<blank] + "+" + text[text.index(after: blank)...])
            }
        guard let found, found.isSent else { return nil }
        self = found
    }

    /// True for a plausible time: not before the first receivers (as from a clock that was not set), and not
    /// centuries ahead.
    private var isSent: Bool { self >= TimeOrigin.earliest && self < Self.latest }

    /// 2200-01-01.
    private static let latest = Timestamp(secondsSince1970: 7_258_118_400)
}

extension Activity {
    /// Reads a sender's word, in upper or lower case; `nil` for an unknown one.
    init?(sent word: some StringProtocol) {
        self.init(word: Array(word.lowercased().utf8).span)
    }
}

extension HostStatus.BatteryState {
    /// Overland's word, or Android's boolean for "is charging".
    init?(sent value: JSONValue) {
        switch value {
        case .boolean(let isCharging): self = isCharging ? .charging : .unplugged
        case .string("charging"): self = .charging
        case .string("full"): self = .full
        case .string("unplugged"), .string("discharging"): self = .unplugged
        case _: return nil
        }
    }
}

extension SenderID {
    /// Reads a sender's id of a point: the id of a record of ours, or any other text.
    init?(sent text: String) {
        // A longer text would be cut, and points that differ behind the cut would be one. Time and place distinguish
        // them instead.
        guard (1...Self.longestText).contains(text.utf8.count) else { return nil }
        self = RecordID(text).map(SenderID.record) ?? .text(text)
    }
}

internal import TrackEngine

/// Reads NMEA 0183: GGA, GNS, RMC, VTG, GSA, GST and ZDA of any talker; the sentences of one moment become one fix.
///
/// An epoch is a run of sentences with the same UTC time; VTG and GSA, which have none, belong to the epoch that is open.
/// It is emitted when the next one begins, or at the end. Other sentences, AIS and lines that begin with `#` are passed
/// over; what claims to be a sentence and is not is reported.
struct NMEAParser: LineParser {
    /// The longest line that is taken. The standard says 82; RTK receivers and tag blocks need more.
    static let maximumLineLength = 1024

    private var calendar: NMEACalendar
    private var epoch: NMEAEpoch?

    /// - Parameter day: days from 1970 to the day on which the file begins, for files without RMC and ZDA.
    init(day: Int64? = nil) {
        calendar = NMEACalendar(day: day)
    }

    mutating func parse(_ line: Span<UInt8>, number: Int, into chunk: inout TrackChunk) {
        guard line.count > 0, line[0] != UInt8(ascii: "#") else { return }
        do throws(NMEASentence.Defect) {
            let sentence = try NMEASentence(line)
            if sentence.hasCutPredecessor {
                chunk.report(.malformed, line: number, "expected a whole sentence before the next $")
            }
            add(sentence, line, number: number, into: &chunk)
        } catch {
            report(error, in: line, number: number, into: &chunk)
        }
    }

    mutating func finish(into chunk: inout TrackChunk) {
        closeEpoch(into: &chunk)
    }

    // MARK: Sentences

    @inline(__always)
    private mutating func add(
        _ sentence: NMEASentence, _ line: Span<UInt8>, number: Int, into chunk: inout TrackChunk
    ) {
        let address = sentence.field(0)
        guard address.count == 5 else { return }  // proprietary ones begin with P and have other lengths
        let type = line.extracting((address.lowerBound + 2)..<address.upperBound)
        do throws(NMEASentence.FieldError) {
            switch (type[0], type[1], type[2]) {
            case (UInt8(ascii: "G"), UInt8(ascii: "G"), UInt8(ascii: "A")):
                guard try begin(sentence, line, number, valid: Self.hasQuality, into: &chunk) else { return }
                try epoch?.addGGA(sentence, in: line)
            case (UInt8(ascii: "R"), UInt8(ascii: "M"), UInt8(ascii: "C")):
                // Without a fix a receiver may not know the date: many say 6 January 1980.
                let day = try Self.date(of: sentence, line).flatMap { Self.isActive(sentence, line) ? $0 : nil }
                guard try begin(sentence, line, number, day: day, valid: Self.isActive, into: &chunk) else { return }
                try epoch?.addRMC(sentence, in: line)
            case (UInt8(ascii: "V"), UInt8(ascii: "T"), UInt8(ascii: "G")): epoch?.addVTG(sentence, in: line)
            case (UInt8(ascii: "G"), UInt8(ascii: "S"), UInt8(ascii: "A")): epoch?.addGSA(sentence, in: line)
            case (UInt8(ascii: "G"), UInt8(ascii: "N"), UInt8(ascii: "S")):
                guard try begin(sentence, line, number, valid: Self.hasMode, into: &chunk) else { return }
                try epoch?.addGNS(sentence, in: line)
            case (UInt8(ascii: "G"), UInt8(ascii: "S"), UInt8(ascii: "T")):
                guard try begin(sentence, line, number, into: &chunk) else { return }
                epoch?.addGST(sentence, in: line)
            case (UInt8(ascii: "Z"), UInt8(ascii: "D"), UInt8(ascii: "A")):
                let day = try Self.fullDate(of: sentence, line)
                _ = try begin(sentence, line, number, day: day, into: &chunk)
            default: return  // some other sentence
            }
        } catch {
            chunk.report(.malformed, line: number, "\(line.text(in: address)): \(error.expectation)")
        }
    }

    /// Opens the epoch of a sentence, or goes on with it; false for a sentence without a time.
    @inline(__always)
    private mutating func begin(
        _ sentence: NMEASentence, _ line: Span<UInt8>, _ number: Int, day: Int64? = nil,
        valid: (NMEASentence, Span<UInt8>) -> Bool = { _, _ in false }, into chunk: inout TrackChunk
    ) throws(NMEASentence.FieldError) -> Bool {
        guard let time = try sentence.timeOfDay(1, in: line) else {
            if valid(sentence, line) { chunk.report(.incomplete, line: number, "expected a time beside a valid fix") }
            return false
        }
        if let open = epoch, open.timeOfDay != time || (day != nil && open.day != nil && day != open.day) {
            closeEpoch(into: &chunk)
        }
        if epoch == nil { epoch = NMEAEpoch(timeOfDay: time, line: number) }
        if let day { epoch?.day = day }
        return true
    }

    private mutating func closeEpoch(into chunk: inout TrackChunk) {
        guard let closed = epoch else { return }
        epoch = nil
        if let time = calendar.moment(closed.timeOfDay, stated: closed.day) {
            if let fix = closed.fix(at: time) { chunk.fixes.append(fix) }
        } else if !closed.hasNoFix, closed.coordinate != nil {
            chunk.report(.incomplete, line: closed.line, "expected a date, by RMC or ZDA, before or with the position")
        }
    }

    // MARK: Fields that say whether there is a fix, and when

    private static func hasQuality(_ sentence: NMEASentence, _ line: Span<UInt8>) -> Bool {
        sentence.letter(6, in: line).flatMap { Fix.Status(quality: $0) } != nil
    }

    private static func isActive(_ sentence: NMEASentence, _ line: Span<UInt8>) -> Bool {
        sentence.letter(2, in: line) == UInt8(ascii: "A")
    }

    private static func hasMode(_ sentence: NMEASentence, _ line: Span<UInt8>) -> Bool {
        sentence.field(6).contains { Fix.Status(modeIndicator: line[$0]) != nil }
    }

    @inline(__always)
    private static func date(
        of sentence: NMEASentence, _ line: Span<UInt8>
    ) throws(NMEASentence.FieldError) -> Int64? {
        let range = sentence.field(9)
        guard !range.isEmpty else { return nil }
        guard let day = NMEACalendar.day(ddmmyy: line.extracting(range)) else {
            throw NMEASentence.FieldError(expectation: "expected the date as ddmmyy")
        }
        return day
    }

    private static func fullDate(
        of sentence: NMEASentence, _ line: Span<UInt8>
    ) throws(NMEASentence.FieldError) -> Int64? {
        guard let day = sentence.number(2, in: line), let month = sentence.number(3, in: line),
            let year = sentence.number(4, in: line)
        else { return nil }
        guard (1980...2262).contains(year), (1...12).contains(month), (1...31).contains(day),
            let date = CivilDate(checkedYear: Int64(year), month: Int64(month), day: Int64(day))
        else { throw NMEASentence.FieldError(expectation: "expected the date as dd,mm,yyyy") }
        return date.daysSince1970
    }

    // MARK: Defects

    private func report(
        _ defect: NMEASentence.Defect, in line: Span<UInt8>, number: Int, into chunk: inout TrackChunk
    ) {
        switch defect {
        case .encapsulated: return
        case .notASentence where line.trimmedRange.isEmpty: return
        case .notASentence: chunk.report(.malformed, line: number, "expected a sentence that begins with $")
        case .unreadableChecksum:
            chunk.report(.malformed, line: number, "expected two hexadecimal digits after the *")
        case .checksum(let given, let expected):
            chunk.report(.malformed, line: number, "checksum \(Self.hex(given)), expected \(Self.hex(expected))")
        }
    }

    private static func hex(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return byte < 16 ? "0" + digits : digits
    }
}

internal import TrackEngine

/// Reads NMEA 0183: GGA, GNS, RMC, GLL, VTG, GSA, GST and ZDA of any talker. The sentences of one moment become one
/// fix.
///
/// An epoch is a run of sentences with the same UTC time; VTG and GSA, which have none, belong to the open epoch. It
/// is delivered when the next one begins, or at the end. Epochs before the first date, at most ``mostHeld`` of them,
/// are held until it arrives, and their dates are computed back from it. Other sentences, AIS and lines that begin
/// with `#` are skipped; invalid sentences are reported.
struct NMEAParser: LineParser {
    /// The longest accepted line, in bytes. The standard's limit is 82; RTK receivers and tag blocks need more. A longer
    /// one, in which the line ends are lost, is cut before a `$`.
    static let maximumLineLength = 1024

    private var calendar: NMEADate
    private var epoch: NMEAEpoch?
    /// Positions without a date, each with its day since the first sentence.
    private var held: [(epoch: NMEAEpoch, day: Int64)] = []
    /// The days from 1970 to the first sentence, by a date that the receiver may not know.
    private var doubtfulStart: Int64?

    /// The largest number of positions that are held until a date arrives: nearly three hours with one per second.
    static let mostHeld = 10_000

    /// - Parameter day: The days from 1970 to the day on which the file begins, for files without RMC and ZDA.
    init(day: Int64? = nil) {
        calendar = NMEADate(day: day)
    }

    mutating func parse(_ line: Span<UInt8>, number: Int, into chunk: inout TrackChunk) {
        guard line.count > 0, line[0] != UInt8(ascii: "#") else { return }
        var offset = 0
        repeat {
            let sentence = NMEASentence(line, from: offset)
            offset = sentence.next
            if sentence.hasCutPredecessor {
                chunk.report(.malformed, line: number, "expected a whole sentence before the next $")
            }
            if let defect = sentence.defect {
                report(defect, in: line, number: number, into: &chunk)
            } else {
                add(sentence, line, number: number, into: &chunk)
            }
        } while line.offset(of: UInt8(ascii: "$"), from: offset) != nil
    }

    mutating func finish(into chunk: inout TrackChunk) {
        closeEpoch(into: &chunk)
        releaseHeld(into: &chunk)
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
                let claim = NMEAPositionStatus(quality: sentence.letter(6, in: line))
                guard try begin(sentence, line, number, claim, into: &chunk) else { return }
                try epoch?.addGGA(sentence, claim, in: line)
            case (UInt8(ascii: "R"), UInt8(ascii: "M"), UInt8(ascii: "C")):
                let claim = NMEAPositionStatus(
                    status: sentence.letter(2, in: line), mode: sentence.letter(12, in: line))
                let day = try Self.date(of: sentence, line)
                // Without a fix, a receiver may not know the date: many report 6 January 1980.
                let known = claim.isFix ? day : nil
                guard try begin(sentence, line, number, claim, day: known, into: &chunk) else { return }
                if known == nil { epoch?.doubtfulDay = day }
                try epoch?.addRMC(sentence, claim, in: line)
            case (UInt8(ascii: "G"), UInt8(ascii: "L"), UInt8(ascii: "L")):
                let claim = NMEAPositionStatus(status: sentence.letter(6, in: line), mode: sentence.letter(7, in: line))
                let isTimed = !sentence.text(5, in: line).isEmpty
                // Converters from SeaTalk have no time in it: the first of them belongs to the epoch that is open.
                if epoch == nil || isTimed {
                    guard try begin(sentence, line, number, claim, time: 5, into: &chunk) else { return }
                }
                let talker = UInt16(line[address.lowerBound]) << 8 | UInt16(line[address.lowerBound + 1])
                if !isTimed, claim.isFix, epoch?.takesUntimedGLL(of: talker) == false {
                    return chunk.report(
                        .incomplete, line: number, "GLL: expected a time, in it or in a sentence before it")
                }
                try epoch?.addGLL(sentence, claim, in: line)
            case (UInt8(ascii: "V"), UInt8(ascii: "T"), UInt8(ascii: "G")): epoch?.addVTG(sentence, in: line)
            case (UInt8(ascii: "G"), UInt8(ascii: "S"), UInt8(ascii: "A")): epoch?.addGSA(sentence, in: line)
            case (UInt8(ascii: "G"), UInt8(ascii: "N"), UInt8(ascii: "S")):
                let claim = NMEAPositionStatus(modes: sentence.text(6, in: line), in: line)
                guard try begin(sentence, line, number, claim, into: &chunk) else { return }
                try epoch?.addGNS(sentence, claim, in: line)
            case (UInt8(ascii: "G"), UInt8(ascii: "S"), UInt8(ascii: "T")):
                guard try begin(sentence, line, number, into: &chunk) else { return }
                epoch?.addGST(sentence, in: line)
            case (UInt8(ascii: "Z"), UInt8(ascii: "D"), UInt8(ascii: "A")):
                let day = try Self.fullDate(of: sentence, line)
                _ = try begin(sentence, line, number, day: day, into: &chunk)
            default: return  // another sentence
            }
        } catch {
            chunk.report(.malformed, line: number, "\(line.text(in: address)): \(error.expectation)")
        }
    }

    /// Opens the epoch of a sentence, or continues it; false for a sentence without a time.
    @inline(__always)
    private mutating func begin(
        _ sentence: NMEASentence, _ line: Span<UInt8>, _ number: Int, _ claim: NMEAPositionStatus = .nothing,
        time field: Int = 1, day: Int64? = nil, into chunk: inout TrackChunk
    ) throws(NMEASentence.FieldError) -> Bool {
        guard let time = try sentence.timeOfDay(field, in: line) else {
            if claim.isFix { chunk.report(.incomplete, line: number, "expected a time with a valid fix") }
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
        let day = calendar.day(of: closed.timeOfDay)
        if let stated = closed.day {
            if !calendar.isDated { deliverHeld(from: stated - day, into: &chunk) }
            calendar.set(stated)
            deliver(closed, on: stated, into: &chunk)
        } else if calendar.isDated {
            deliver(closed, on: day, into: &chunk)
        } else if closed.coordinate != nil {
            if let doubtful = closed.doubtfulDay { doubtfulStart = doubtful - day }
            held.append((closed, day))
            if held.count == Self.mostHeld { releaseHeld(into: &chunk) }
        }
    }

    private func deliver(_ epoch: NMEAEpoch, on day: Int64, into chunk: inout TrackChunk) {
        let time = Timestamp(secondsSince1970: day * 86_400, nanoseconds: epoch.timeOfDay)
        if let fix = epoch.fix(at: time) { chunk.fixes.append(fix) }
    }

    /// Delivers the positions that were held for a date.
    ///
    /// - Parameter start: The days from 1970 to the first sentence.
    private mutating func deliverHeld(from start: Int64, into chunk: inout TrackChunk) {
        for (epoch, day) in held { deliver(epoch, on: start + day, into: &chunk) }
        held.removeAll()
    }

    /// Stops waiting for a date: an uncertain date is better than none.
    private mutating func releaseHeld(into chunk: inout TrackChunk) {
        if let doubtfulStart, let last = held.last {
            calendar.set(doubtfulStart + last.day)
            return deliverHeld(from: doubtfulStart, into: &chunk)
        }
        for (epoch, _) in held {
            chunk.report(.incomplete, line: epoch.line, "expected a date, by RMC or ZDA or the option date")
        }
        held.removeAll()
    }

    // MARK: Dates

    @inline(__always)
    private static func date(
        of sentence: NMEASentence, _ line: Span<UInt8>
    ) throws(NMEASentence.FieldError) -> Int64? {
        let range = sentence.text(9, in: line)
        guard !range.isEmpty else { return nil }
        guard let day = NMEADate.day(ddmmyy: line.extracting(range)) else {
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
        guard (1980...2261).contains(year), (1...12).contains(month), (1...31).contains(day),
            let date = CivilDate(checkedYear: Int64(year), month: Int64(month), day: Int64(day))
        else { throw NMEASentence.FieldError(expectation: "expected the date as dd,mm,yyyy") }
        return date.daysSince1970
    }

    // MARK: Defects

    private func report(
        _ defect: NMEASentence.Problem, in line: Span<UInt8>, number: Int, into chunk: inout TrackChunk
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

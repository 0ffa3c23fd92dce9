public import TrackEngine

/// How a file is to be read.
public struct ReplayOptions: Sendable, Hashable {
    /// The file's format; `nil` finds it out by its content, then by its name.
    public var format: ReplayFormat?
    /// Any moment of the UTC day on which the file begins: for NMEA without RMC and ZDA, which has no date. Otherwise
    /// not used.
    public var startDate: Timestamp?
    /// The zone of times that are written without one. Default UTC.
    public var zone: ZoneOffsetTable
    /// The present: tracks dated 1024 weeks after it stand where their corrected dates belong, and others that begin
    /// more than a day after it are reported. `nil` is the machine's clock.
    public var now: Timestamp?

    /// Options; those not given are automatic.
    public init(
        format: ReplayFormat? = nil, startDate: Timestamp? = nil, zone: ZoneOffsetTable = .utc, now: Timestamp? = nil
    ) {
        self.format = format
        self.startDate = startDate
        self.zone = zone
        self.now = now
    }
}

/// A file that is read and decoded piece by piece, in constant memory.
///
/// The fixes come in the order of the file. But the tracks of a document (GPX, GeoJSON, KML, CSV, NDJSON) come in the
/// order in which they began, and one that goes back in time from its end, if the document is a file and has no more
/// than 250 000 fixes; then all of them come at its end. The segments of a track are tracks in this sense, and so are
/// the days of a table.
///
/// Fixes with the date of a clock that knew none (before 1990, or 2000-01-01) are reported and left out where others
/// lie more than 30 days away.
///
/// Its calls block. Use ``ReplayReader`` in asynchronous code; this type is for programs that have no other work.
public final class ReplayFile {
    /// The stage of reading.
    private enum Phase {
        /// The first bytes are gathered until the format is clear.
        case sampling
        case decoding(any TrackDecoder)
        case finished
    }

    private let path: String
    private let options: ReplayOptions
    private var input: ReplayInput
    private var buffer = [UInt8](repeating: 0, count: ReplayInput.pieceLength)
    private var text = DocumentText()
    private var stage = Phase.sampling
    private var undated = DateFilter()
    /// Holds the fixes of a document until its end. Logs are in order, and a pipe may never end.
    private var order: TrackOrder?
    /// Fixes that have been put into order and go out before anything else is read.
    private var ordered: ArraySlice<Fix> = []
    /// The most of them in one chunk, which bounds the memory of callers.
    private static let orderedPiece = 1024
    /// The format, once it is known.
    public private(set) var format: ReplayFormat?

    /// Opens a file, a pipe or a device.
    ///
    /// - Throws: ``ReplayError`` with the file and its defect.
    public convenience init(path: String, options: ReplayOptions = ReplayOptions()) throws(ReplayError) {
        try self.init(path: path, options: options, interruption: Interruption())
    }

    init(path: String, options: ReplayOptions, interruption: Interruption) throws(ReplayError) {
        self.path = path
        self.options = options
        input = try ReplayInput(path: path, interruption: interruption)
    }

    /// The next fixes and problems; `nil` at the end of the file.
    ///
    /// A chunk comes from at most 64 KiB of the (decompressed) file, and may be empty: ``ReplayChunk/bytesRead`` then
    /// still has the progress.
    ///
    /// - Throws: ``ReplayError`` when the file cannot be read on, or is of no known format.
    public func next() throws(ReplayError) -> ReplayChunk? {
        var chunk = ReplayChunk()
        if !ordered.isEmpty {
            handOverOrdered(to: &chunk)
            return chunk
        }
        switch stage {
        case .finished: return nil
        case .sampling: try sample(into: &chunk)
        case .decoding(var decoder):
            stage = .finished  // so that the decoder is not copied while it works
            let count = try read(at: 0)
            decode(count, with: &decoder, into: &chunk)
            goOn(with: decoder, isAtEnd: count == 0, into: &chunk)
        }
        undated.sift(&chunk.track)
        if case .finished = stage { undated.finish(&chunk.track) }
        putIntoOrder(&chunk)
        handOverOrdered(to: &chunk)
        return chunk
    }

    private func putIntoOrder(_ chunk: inout ReplayChunk) {
        guard var gathered = order.take() else { return }
        gathered.take(from: &chunk.track)
        let isAtEnd = if case .finished = stage { true } else { false }
        guard isAtEnd || gathered.isFull else {
            order = gathered
            return
        }
        ordered = gathered.fixes(reportingTo: &chunk.track)[...]
    }

    private func handOverOrdered(to chunk: inout ReplayChunk) {
        chunk.track.fixes += ordered.prefix(Self.orderedPiece)
        ordered = ordered.dropFirst(Self.orderedPiece)
        chunk.bytesRead = input.bytesRead
        chunk.totalBytes = input.size
    }

    private func read(at start: Int) throws(ReplayError) -> Int {
        try input.read(into: &buffer, at: start)
    }

    /// Gathers the sample, decides the format and decodes the sample.
    private func sample(into chunk: inout ReplayChunk) throws(ReplayError) {
        stage = .finished
        let needed = options.format == nil ? TrackFormat.sampleLength : 4
        var count = 0
        var isAtEnd = false
        while count < needed, !isAtEnd {
            let more = try read(at: count)
            count += more
            isAtEnd = more == 0
        }
        let bytes = buffer
        var sample =
            switch text.next(bytes.span.extracting(0..<count)) {
            case .same(let range): Array(bytes[range])
            case .converted(let text): text
            }
        if isAtEnd { sample += text.finish() }
        guard !sample.isEmpty else { return reportEnd(into: &chunk) }
        let found = try format(of: sample.span)
        format = found
        if found.hasTracks, input.size != nil { order = TrackOrder(now: options.now) }
        var decoder = found.makeDecoder(day: options.startDate?.daysSince1970, zone: options.zone)
        decoder.decode(sample.span, into: &chunk.track)
        goOn(with: decoder, isAtEnd: isAtEnd, into: &chunk)
    }

    private func format(of sample: Span<UInt8>) throws(ReplayError) -> ReplayFormat {
        if let known = options.format ?? ReplayFormat(sample: sample, path: input.nameInArchive ?? path) {
            return known
        }
        if input.damage != nil { return .nmea }  // no data is decoded; the damage is reported
        if let foreign = ForeignFormat(sample) { throw ReplayError(.unknownFormat, path: path, foreign.expectation) }
        let names = ReplayFormat.allCases.map(\.name).joined(separator: ", ")
        throw ReplayError(.unknownFormat, path: path, "expected one of the formats \(names)")
    }

    private func decode(_ count: Int, with decoder: inout any TrackDecoder, into chunk: inout ReplayChunk) {
        let bytes = buffer
        switch text.next(bytes.span.extracting(0..<count)) {
        case .same(let range): decoder.decode(bytes.span.extracting(range), into: &chunk.track)
        case .converted(let text): decoder.decode(text.span, into: &chunk.track)
        }
    }

    private func goOn(with decoder: any TrackDecoder, isAtEnd: Bool, into chunk: inout ReplayChunk) {
        guard isAtEnd else {
            stage = .decoding(decoder)
            return
        }
        var decoder = decoder
        decoder.decode(text.finish().span, into: &chunk.track)
        decoder.finish(into: &chunk.track)
        reportEnd(into: &chunk)
    }

    private func reportEnd(into chunk: inout ReplayChunk) {
        if let damage = input.damage { chunk.track.report(.malformed, damage) }
        for file in input.unreadable.prefix(5) {
            chunk.track.report(.malformed, "zip: \(file.name): \(file.expectation)")
        }
        if !input.passedOver.isEmpty {
            let names = input.passedOver.prefix(5).joined(separator: ", ")
            let more = input.passedOver.count > 5 ? " and \(input.passedOver.count - 5) more" : ""
            let read = input.nameInArchive ?? "one"
            chunk.track.report(
                .incomplete, "zip: expected one recorded track: \(read) is read, and not \(names)\(more)")
        }
    }
}

import GPSDProtocol
import TestSupport
import Testing
import TrackEngine

/// The protocol's values against plain statements of their rules, over generated input.
@Suite struct ProtocolPropertyTests {
    // MARK: Lines

    /// Lines by the rule itself: split at LF, one CR off, empty ones out, too long ones marked.
    private static func lines(of stream: [UInt8], bound: Int) -> [GPSDLineSplitter.Part] {
        stream.split(separator: 0x0a, omittingEmptySubsequences: false).dropLast().compactMap { part in
            let line = part.last == 0x0d ? part.dropLast() : part
            if line.count > bound { return .oversized }
            return line.isEmpty ? nil : .line(Array(line))
        }
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `a stream has the lines that its line ends say, in whatever pieces it comes`(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let letters: [UInt8] = [0x0a, 0x0a, 0x0d, 0x61, 0x62, 0x00, 0xff]
        let stream = (0..<300).map { _ in letters.randomElement(using: &random) ?? 0x61 }
        let bound = Int.random(in: 1...8, using: &random)
        var (splitter, pieces, rest) = (GPSDLineSplitter(bound: bound), [GPSDLineSplitter.Part](), stream[...])
        while !rest.isEmpty {
            let length = Int.random(in: 1...12, using: &random)
            splitter.append(rest.prefix(length)) { pieces.append($0) }
            rest = rest.dropFirst(length)
        }
        #expect(pieces == Self.lines(of: stream, bound: bound))
    }

    // MARK: Reports of one epoch

    /// The numbers of a report, for loops over all of them.
    private static var numbers: [WritableKeyPath<PositionReport, Double?>] {
        [
            \.altHAE, \.altMSL, \.alt, \.geoidSeparation, \.eph, \.epx, \.epy, \.epv, \.speed, \.eps, \.track, \.epd,
        ]
    }

    private static func report(_ random: inout SeededGenerator) -> PositionReport {
        var report = PositionReport()
        report.mode = [nil, .twoDimensional, .threeDimensional].randomElement(using: &random) ?? nil
        for number in numbers where Bool.random(using: &random) {
            report[keyPath: number] = Double.random(in: 0..<1000, using: &random)
        }
        if Bool.random(using: &random) { report.status = [.differential, .rtkFixed].randomElement(using: &random) }
        if Bool.random(using: &random) {
            report.coordinate = Coordinate(latitude: Double.random(in: -90...90, using: &random), longitude: 1)
        }
        return report
    }

    @Test(arguments: 1...100 as ClosedRange<UInt64>)
    func `what the best reports of an epoch say last stands, and what only others know is kept`(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let reports = (0..<Int.random(in: 1...6, using: &random)).map { _ in Self.report(&random) }
        var merged = PositionReport()
        for report in reports { merged.merge(report) }
        let solutions = reports.filter { $0.mode != nil }
        let best = solutions.compactMap(\.mode).max { $0.rawValue < $1.rawValue }
        #expect(merged.mode == best)
        for number in Self.numbers {
            let known = solutions.filter { $0[keyPath: number] != nil }
            if let last = known.last(where: { $0.mode == best }) {
                #expect(merged[keyPath: number] == last[keyPath: number])
            } else {
                #expect((merged[keyPath: number] != nil) == !known.isEmpty)
                #expect(known.isEmpty || known.contains { $0[keyPath: number] == merged[keyPath: number] })
            }
        }
        let places = solutions.filter { $0.coordinate != nil }
        #expect(
            merged.coordinate
                == (places.last { $0.mode == best } ?? places.first { $0.coordinate == merged.coordinate })?.coordinate)
        #expect((merged.status != nil) == solutions.contains { $0.status != nil })
    }

    @Test(arguments: 1...50 as ClosedRange<UInt64>)
    func `each epoch with a position is one fix at its time, whatever reports it has`(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var (merger, outcomes, expected) = (EpochMerger(), [EpochMerger.Outcome?](), [Int64]())
        for second in Int64(1)...40 {
            let reports = (0..<Int.random(in: 1...4, using: &random)).map { _ in Self.report(&random) }
            if reports.contains(where: { $0.mode != nil && $0.coordinate != nil }) { expected.append(second) }
            for (offset, var report) in reports.enumerated() {
                report.time = Timestamp(secondsSince1970: second)
                outcomes.append(merger.add(report, at: .seconds(second) + .milliseconds(10 * offset)))
            }
        }
        outcomes.append(merger.flush())
        #expect(outcomes.compactMap(\.self).count == 40)
        #expect(outcomes.compactMap { $0?.second } == expected)
    }

    // MARK: Devices

    @Test(arguments: 1...100 as ClosedRange<UInt64>)
    func `no receiver is heard within the patience after another one, unless that one goes`(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var choice = DeviceChoice(device: nil, patience: .seconds(10))
        var (followed, heard, now) = (String?.none, Duration.zero, Duration.zero)
        for _ in 0..<300 {
            now += .seconds(Int.random(in: 0...6, using: &random))
            let device = ["a", "b", "c"].randomElement(using: &random)
            if Int.random(in: 0..<12, using: &random) == 0, let device {
                choice.remove(device)
                if device == followed { followed = nil }
                continue
            }
            let isFree = followed == nil || device == followed || now - heard > .seconds(10)
            #expect(choice.isCandidate(device) == (followed == nil || device == followed))
            #expect(choice.takes(device, at: now) == isFree)
            if isFree { (followed, heard) = (device, now) }
        }
    }
}

extension EpochMerger.Outcome {
    /// The second of a fix.
    fileprivate var second: Int64? {
        if case .fix(let fix) = self { fix.time.secondsSince1970 } else { nil }
    }
}

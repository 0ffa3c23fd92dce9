import Testing
import TrackEngine
import TrackEngineSettings

/// Single values: the forms that are read, their bounds, and the help for those that are nearly right.
@Suite struct ValueRuleTests {
    @Test(
        arguments: [
            ("5", 5), ("-3", -3), ("+5", 5), ("007", 7), ("9", 9), ("10", nil), ("-4", nil), ("5.0", nil), ("5e0", nil),
            ("0x5", nil), ("５", nil), (" 5", nil), ("5_0", nil), ("99999999999999999999", nil), ("null", nil),
            ("true", nil),
        ] as [(String, Int?)])
    func `a whole number is written in digits alone`(_ text: String, _ value: Int?) {
        #expect(ValueRule<Int>.integer(-3...9).parse(.text(text)) == value)
        #expect(ValueRule<Int>.integer(-3...9).parse(.text(text, isQuoted: true)) == nil, "quoted is text")
    }

    @Test func `the bounds of a type are valid values`() {
        #expect(ValueRule<UInt64>.integer(0...UInt64.max).parse(.text("18446744073709551615")) == .max)
        #expect(ValueRule<UInt64>.integer(0...UInt64.max).parse(.text("18446744073709551616")) == nil)
        #expect(ValueRule<Int64>.integer(.min...0).parse(.text("-9223372036854775808")) == .min)
        #expect(ValueRule<UInt16>.integer(0...9).parse(.text("-1")) == nil)
    }

    @Test(
        arguments: [
            ("0.5", 0.5), ("5e-1", 0.5), ("+1", 1), ("-1E0", -1), (".5", 0.5), ("1.0001", nil), ("-1.0001", nil),
            ("nan", nil), ("inf", nil), ("0x1p-1", nil), ("1e999", nil), ("1e-999", 0), ("1,5", nil), ("", nil),
            (String(repeating: "0", count: 40), 0), (String(repeating: "0", count: 41), nil),
        ] as [(String, Double?)])
    func `a number is decimal and finite`(_ text: String, _ value: Double?) {
        #expect(ValueRule<Double>.number(-1...1).parse(.text(text)) == value)
        #expect(ValueRule<Double>.number(-1...1).parse(.text(text, isQuoted: true)) == nil)
    }

    @Test(
        arguments: [("0", nil), ("-0.0", nil), ("1e-300", 1e-300), ("5", 5), ("5.0000001", nil)] as [(String, Double?)])
    func `a positive number is above zero, and at most its bound`(_ text: String, _ value: Double?) {
        #expect(ValueRule<Double>.positive(upTo: 5, "metres").parse(.text(text)) == value)
    }

    @Test(
        arguments: [
            ("0.1", .milliseconds(100)), ("1e-9", .nanoseconds(1)), ("0.0000000005", .nanoseconds(1)),
            ("0.0000000004", .zero), ("3600", .seconds(3600)), ("60m", .seconds(3600)), ("1h", .seconds(3600)),
            ("0.5m", .seconds(30)), ("0s", .zero), ("61m", nil), ("1.01h", nil), ("1d", nil), ("3600.1", nil),
            ("-1s", nil), ("1 s", nil), ("s", nil), ("1H", nil), ("1e1s", nil), ("1m30s", nil), ("..5m", nil),
        ] as [(String, Duration?)])
    func `seconds are read to the nanosecond, and a unit does not widen the bounds`(_ text: String, _ value: Duration?)
    {
        #expect(ValueRule<Duration>.seconds(0...3600).parse(.text(text)) == value)
    }

    @Test(
        arguments: [
            ("36525d", 3_155_760_000), ("36525.1d", nil), ("3155760000", 3_155_760_000), ("3155760001", nil),
            ("876600h", 3_155_760_000), ("-1", nil), ("1e3", nil), ("", nil), ("١", nil), ("1 d", nil), ("d", nil),
            (String(repeating: "0", count: 40), 0), (String(repeating: "0", count: 41), nil),
        ] as [(String, Int64?)])
    func `a written duration is of a hundred years at most`(_ text: String, _ seconds: Int64?) {
        #expect(Duration(written: text) == seconds.map { .seconds($0) })
    }

    @Test(
        arguments: [
            ("1000", 1000), ("1B", 1), ("1kB", 1000), ("1 KB", 1000), ("1KiB", 1024), ("2MB", 2_000_000),
            ("2  MiB", 2_097_152), ("3GB", 3_000_000_000), ("1GiB", 1_073_741_824), ("1TB", 1_000_000_000_000),
            ("8388607TiB", 9_223_370_937_343_148_032), ("8388608TiB", nil),
            ("999999999999999999", 999_999_999_999_999_999),
            ("1000000000000000000", nil), ("1kb", nil), ("1mb", nil), ("1.5MB", nil), ("-1", nil), ("kB", nil),
            ("1 k B", nil), ("1kBx", nil), ("0", nil),
        ] as [(String, Int64?)])
    func `a size is a whole number with a unit, in powers of 1000 or 1024`(_ text: String, _ bytes: Int64?) {
        #expect(ValueRule<Int64>.bytes(1...Int64.max).parse(.text(text)) == bytes)
        let limit = ValueRule<Int64>.limitOfBytes(1...Int64.max).parse(.text(text))
        #expect(limit == (text == "0" ? 0 : bytes), "0 is no limit")
    }

    /// Whether the message for a value says more than the rule.
    private func hasHint<Value>(_ rule: ValueRule<Value>, _ node: ConfigurationNode) -> Bool {
        let report = ProblemReport()
        var table = TableDecoder(path: "", layers: [.table(["key": node])], report)
        let value = table.value("key", rule)
        #expect(value == nil && report.problems.count == 1)
        return report.problems.first?.message.hasSuffix("expected \(rule.expectation)") == false
    }

    @Test(
        arguments: [
            ("5.5", true), ("5.0", true), ("5e0", true), ("5m", true), ("5 metres", true), ("5°", true), ("50", false),
            ("x", false), ("m5", false), ("5-3", false), ("", false),
        ])
    func `a whole number that is nearly one gets a hint`(_ text: String, _ isNear: Bool) {
        #expect(hasHint(ValueRule<Int>.integer(0...9), .text(text)) == isNear)
    }

    @Test func `quotes around a valid value get a hint, around another one not`() {
        #expect(hasHint(ValueRule<Int>.integer(0...9), .text("5", isQuoted: true)))
        #expect(!hasHint(ValueRule<Int>.integer(0...9), .text("50", isQuoted: true)))
        #expect(hasHint(ValueRule<Bool>.flag, .text("true", isQuoted: true)))
        #expect(!hasHint(ValueRule<Bool>.flag, .text("yes")))
    }

    @Test(arguments: [("5min", true), ("5 s", true), ("5x", true), ("9d", false), ("5", false), ("-1s", false)])
    func `a time in a form that is not read gets a hint, one out of bounds not`(_ text: String, _ isNear: Bool) {
        #expect(hasHint(ValueRule<Duration>.seconds(0...4), .text(text)) == isNear)
    }
}

import CoreMetrics
import Testing
import TrackEngineServer

/// The server's own backend of swift-metrics, and the text that it makes.
@Suite struct OpenMetricsTests {
    private let registry = OpenMetricsRegistry()

    private var text: String { MetricsText(registry.families, help: ["a_bytes": "What \"a\" takes."]).finished }

    @Test func `nothing is an empty text with its end`() { #expect(text == "# EOF\n") }

    @Test func `a family is described once, before all of its numbers, in an order that stays`() {
        Gauge(label: "b", factory: registry).record(-1.5)
        Gauge(label: "a_bytes", dimensions: [("of", "z")], factory: registry).record(2)
        Gauge(label: "a_bytes", dimensions: [("of", "y")], factory: registry).record(1)
        #expect(
            text == """
                # TYPE a_bytes gauge
                # HELP a_bytes What \\"a\\" takes.
                a_bytes{of="y"} 1
                a_bytes{of="z"} 2
                # TYPE b gauge
                b -1.5
                # EOF

                """)
    }

    @Test func `a counter's number has total behind its name, once`() {
        let counter = Counter(label: "visits", factory: registry)
        counter.increment(by: 2)
        counter.increment()
        Counter(label: "seen_total", factory: registry).increment()
        let seconds = FloatingPointCounter(label: "cpu_seconds", factory: registry)
        seconds.increment(by: 0.25)
        seconds.increment(by: 0.5)
        seconds.increment(by: -1)
        #expect(
            text == """
                # TYPE cpu_seconds counter
                cpu_seconds_total 0.75
                # TYPE seen counter
                seen_total 1
                # TYPE visits counter
                visits_total 3
                # EOF

                """)
    }

    @Test func `a timer is how often and how long in all, in seconds`() {
        let timer = Timer(label: "commit_seconds", dimensions: [("disk", "1")], factory: registry)
        timer.recordMilliseconds(250)
        timer.recordSeconds(2)
        let sizes = Recorder(label: "size_bytes", factory: registry)
        sizes.record(10)
        sizes.record(20)
        #expect(
            text == """
                # TYPE commit_seconds summary
                commit_seconds_count{disk="1"} 2
                commit_seconds_sum{disk="1"} 2.25
                # TYPE size_bytes summary
                size_bytes_count 2
                size_bytes_sum 30
                # EOF

                """)
    }

    @Test func `a meter goes up and down, and a counter begins anew`() {
        let meter = Meter(label: "open", factory: registry)
        meter.set(3)
        meter.increment()
        meter.decrement(by: 2)
        let counter = Counter(label: "visits", factory: registry)
        counter.increment()
        counter.reset()
        #expect(text.contains("open 2\n"))
        #expect(text.contains("visits_total 0\n"))
    }

    @Test func `what is no number is left aside`() {
        let gauge = Gauge(label: "level", factory: registry)
        for value in [1, Double.nan, .infinity] { gauge.record(value) }
        #expect(text.contains("level 1\n"))
    }

    @Test(arguments: [
        ("a\\b", #"a\\b"#), ("\"", #"\""#), ("\u{22}\u{301}", "\\\"\u{301}"), ("a\r\nb", "a\r\\nb"), ("ä", "ä"),
    ])
    func `a label's value cannot end its quotes or its line`(value: String, written: String) {
        Counter(label: "c", dimensions: [("l", value)], factory: registry).increment()
        #expect(text == "# TYPE c counter\nc_total{l=\"\(written)\"} 1\n# EOF\n")
    }

    @Test(arguments: [
        ("a.b-c", "a_b_c"), ("9", "_9"), ("a:b", "a:b"), ("käse", "k_se"), ("a{b=\"1\"} 2\nc", "a_b__1___2_c"),
        ("", "_"),
    ])
    func `a name has letters of ASCII, digits and underscores`(label: String, written: String) {
        Gauge(label: label, dimensions: [(label, "x")], factory: registry).record(1)
        let name = written.replacing(":", with: "_")
        #expect(text == "# TYPE \(written) gauge\n\(written){\(name)=\"x\"} 1\n# EOF\n")
    }

    @Test func `who asks for the same number twice has the same`() {
        for _ in 1...2 { Counter(label: "visits", dimensions: [("of", "a")], factory: registry).increment() }
        #expect(text.contains("visits_total{of=\"a\"} 2\n"))
    }

    @Test func `a number that was destroyed does not take the one that came after it away`() {
        let first = Counter(label: "visits", factory: registry)
        first.destroy()
        Counter(label: "visits", factory: registry).increment()
        first.destroy()
        #expect(text.contains("visits_total 1\n"))
    }

    @Test func `beyond the limit numbers are dropped and counted, until others are destroyed`() {
        let registry = OpenMetricsRegistry(limit: 2)
        func makeCounter(_ number: Int) -> Counter {
            Counter(label: "visits", dimensions: [("of", "\(number)")], factory: registry)
        }
        let counters = (1...4).map(makeCounter)
        for counter in counters { counter.increment() }
        #expect(registry.families.map(\.samples.count) == [2])
        #expect(registry.dropped == 2)
        counters[3].destroy()  // which never counted
        makeCounter(5).increment()
        #expect(registry.dropped == 3)
        counters[0].destroy()
        makeCounter(6).increment()
        #expect(registry.families.first?.samples.map { $0.labels.map(\.value) } == [["2"], ["6"]])
        #expect(registry.dropped == 3)
    }

    @Test func `a name belongs to one kind`() {
        Counter(label: "a", factory: registry).increment()
        Gauge(label: "a", factory: registry).record(5)
        #expect(text == "# TYPE a counter\na_total 1\n# EOF\n")
        #expect(registry.dropped == 1)
    }

    @Test func `a family without numbers is gone`() {
        let gauge = Gauge(label: "level", factory: registry)
        gauge.record(1)
        gauge.destroy()
        #expect(text == "# EOF\n")
    }
}

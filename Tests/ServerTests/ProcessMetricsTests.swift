import CoreMetrics
import Foundation
import Testing
import TrackEngineServer

/// What `/metrics` says of the process.
@Suite struct ProcessMetricsTests {
    // 250 ticks of the user's, 50 of the system's, begun 12,345 ticks after boot.
    private let stat =
        "42 (a) b c) S 1 42 42 0 -1 4194560 1000 0 0 0 250 50 0 0 20 0 8 0 12345 300000000 2500 18446744073709551615"
    private let statm = "73242 2500 1800 900 0 5000 0"
    private let systemStat = "cpu  1 2 3\nintr 4 5\nctxt 6\nbtime 1772359200\nprocesses 7\n"

    private func usage(stat: String?, statm: String?, systemStat: String?) -> ProcessMetrics {
        ProcessMetrics(stat: stat, statm: statm, systemStat: systemStat, ticksPerSecond: 100, pageSize: 4096)
    }

    @Test func `it is read from what the kernel writes, whatever the process is called`() {
        let usage = usage(stat: stat, statm: statm, systemStat: systemStat)
        #expect(usage.processorTime == 3)
        #expect(usage.startTime == 1_772_359_323.45)
        #expect(usage.residentMemory == 10_240_000)
    }

    @Test func `what cannot be read is absent`() {
        #expect(usage(stat: nil, statm: nil, systemStat: nil) == usage(stat: "42 (a", statm: "1", systemStat: "cpu"))
        let withoutBoot = usage(stat: stat, statm: nil, systemStat: "cpu")
        #expect(withoutBoot.processorTime == 3)
        #expect(withoutBoot.startTime == nil && withoutBoot.residentMemory == nil)
        let registry = OpenMetricsRegistry()
        withoutBoot.report(to: registry)
        #expect(registry.families.map(\.name) == ["process_cpu_seconds"])
    }

    @Test func `this process began before now, and has memory and files`() throws {
        let usage = ProcessMetrics.current
        let begin = try #require(usage.startTime)
        #expect(begin < Date().timeIntervalSince1970 + 1 && begin > Date().timeIntervalSince1970 - 86_400)
        #expect(try #require(usage.residentMemory) > 1_000_000)
        #expect(try #require(usage.processorTime) >= 0)
        #expect(try #require(usage.openFiles) >= 3)
        let registry = OpenMetricsRegistry()
        usage.report(to: registry)
        #expect(
            registry.families.map(\.name) == [
                "process_cpu_seconds", "process_open_fds", "process_resident_memory_bytes",
                "process_start_time_seconds",
            ])
    }
}

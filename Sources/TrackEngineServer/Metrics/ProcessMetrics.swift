package import CoreMetrics
import Glibc
import TrackEngine
import TrackEngineIntegrations

/// The process's use of its machine, as Linux reports it in `/proc`; unreadable values are absent.
package struct ProcessMetrics: Sendable, Hashable {
    /// Memory in use, in bytes.
    package var residentMemory: Double?
    /// Files, sockets and other open descriptors.
    package var openFiles: Double?
    /// The begin of the process, in seconds since 1970.
    package var startTime: Double?
    /// The processor's time, in seconds.
    package var processorTime: Double?

    /// The present usage.
    package static var current: ProcessMetrics {
        var usage = ProcessMetrics(
            stat: ProcessFile.text(of: "/proc/self/stat"), statm: ProcessFile.text(of: "/proc/self/statm"),
            systemStat: ProcessFile.text(of: "/proc/stat"), ticksPerSecond: Double(sysconf(Int32(_SC_CLK_TCK))),
            pageSize: Double(sysconf(Int32(_SC_PAGESIZE))))
        usage.openFiles = ProcessFile.count(in: "/proc/self/fd").map(Double.init)
        return usage
    }

    /// Reads the kernel's files (proc(5)).
    ///
    /// - Parameters:
    ///   - stat: the process's times, behind its name in parentheses, which may hold anything: 14 and 15 are the
    ///     ticks of the processor, 22 the tick after boot at which it began.
    ///   - statm: numbers of pages; the second one is the resident memory.
    ///   - systemStat: has a line `btime` with the time of boot.
    package init(stat: String?, statm: String?, systemStat: String?, ticksPerSecond: Double, pageSize: Double) {
        residentMemory = (statm?.split(separator: " ").dropFirst().first).flatMap { Double($0) }.map { $0 * pageSize }
        guard let stat, let name = stat.lastIndex(of: ")") else { return }
        // Field 3 is the first behind the name.
        let fields = stat[name...].dropFirst().split(separator: " ")
        guard fields.count > 19, let user = Double(fields[11]), let system = Double(fields[12]),
            let start = Double(fields[19])
        else { return }
        processorTime = (user + system) / ticksPerSecond
        let boot = systemStat?.split(separator: "\n").first { $0.hasPrefix("btime ") }?.dropFirst("btime ".count)
        startTime = boot.flatMap { Double($0) }.map { $0 + start / ticksPerSecond }
    }

    /// Reports the usage to a backend without an earlier report: the processor time is added to a counter.
    package func report(to factory: any MetricsFactory) {
        let levels: [(MetricFamily, Double?)] = [
            (.residentMemory, residentMemory), (.openFiles, openFiles), (.startTime, startTime),
        ]
        for (family, level) in levels {
            guard let level else { continue }
            Gauge(label: family.name, factory: factory).record(level)
        }
        guard let processorTime else { return }
        FloatingPointCounter(label: MetricFamily.processorTime.name, factory: factory).increment(by: processorTime)
    }
}

extension MetricFamily {
    fileprivate static let residentMemory = MetricFamily(
        "process_resident_memory_bytes", .gauge, "Resident memory size in bytes.")
    fileprivate static let openFiles = MetricFamily(
        "process_open_fds", .gauge, "Number of open file descriptors.")
    fileprivate static let startTime = MetricFamily(
        "process_start_time_seconds", .gauge, "Start time of the process since unix epoch in seconds.")
    fileprivate static let processorTime = MetricFamily(
        "process_cpu_seconds", .counter, "Total user and system CPU time spent in seconds.")

    /// The metrics of the process, under the names that Prometheus' client libraries give them.
    static let ofProcess: [MetricFamily] = [.residentMemory, .openFiles, .startTime, .processorTime]
}

/// Files of the kernel's, which are made as they are read.
private enum ProcessFile {
    /// More than `/proc/stat` of a machine with 512 processors.
    static let maximumSize = 1 << 20

    static func text(of path: String) -> String? {
        (try? FileContent.read(path, limit: maximumSize))?.text  // an unreadable value is absent
    }

    /// How many entries a directory has, without the descriptor that counts.
    static func count(in path: String) -> Int? {
        do throws(SystemError) {
            var reader = try DirectoryReader(path)
            var count = -1
            while try reader.next() != nil { count += 1 }
            return count
        } catch {
            return nil  // absent, like all that cannot be read
        }
    }
}

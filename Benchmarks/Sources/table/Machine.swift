import Foundation

/// What the figures were measured on.
enum Machine {
    static var heading: String {
        """
        # Results

        \(Date().formatted(.iso8601.year().month().day())), \(processor), \(ProcessInfo.processInfo.processorCount) cores, \
        \(system). Written by `make bench`.

        ns is for one unit of work: a fix, sentence, line, record or second. Ours and its yardstick ran in turns in one
        process; of processors' work the best run counts, of the disk's and of other programs' the middle one. Drains run
        once each, one after the other, so other programs on the machine shift their ratios most. The last column but two is how many times faster ours is. Allocations are counted on the measuring thread. What the
        yardsticks are is in [Sources](Sources).


        """
    }

    private static var processor: String { line(of: "/proc/cpuinfo", after: "model name") ?? "unknown processor" }
    private static var system: String { line(of: "/etc/os-release", after: "PRETTY_NAME") ?? "unknown system" }

    private static func line(of file: String, after key: String) -> String? {
        // Where there is no such file, the heading says so; the figures matter more.
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix(key) }
        return line?.split(whereSeparator: { $0 == ":" || $0 == "=" }).last
            .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " \t\"")) }
    }
}

/// How many files and connections this process, and those that it starts, may hold.
enum OpenFiles {
    /// As many as the system allows: a server takes half of them as connections, and 1,000 viewers want theirs.
    static func raiseLimit() {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}

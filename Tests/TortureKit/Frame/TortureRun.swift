import Foundation
import TestSupport

/// Runs one part: its tries in worker processes, or one after the other in this one.
package struct TortureRun: Sendable {
    package let part: any TorturePart
    package let bench: TortureBench
    package let scale: TortureScale

    package init(part: any TorturePart, bench: TortureBench, scale: TortureScale) {
        self.part = part
        self.bench = bench
        self.scale = scale
    }

    /// All tries in this process; a trap or a hang of the store ends or blocks it.
    package func here() async throws -> PartReport {
        var report = PartReport(part: part, seed: bench.seed)
        let begin = ContinuousClock.now
        for number in try await part.tries(at: scale, on: bench) {
            report.add(await result(of: number), of: number)
        }
        report.duration = .now - begin
        return report
    }

    private func result(of number: Int) async -> TryResult {
        do {
            return try await part.attempt(number, on: bench)
        } catch {
            return TryResult(violations: ["the try could not be made: \(error)"])
        }
    }

    /// All tries in worker processes.
    ///
    /// A worker that dies or says nothing for the part's patience has failed its current try; another one goes on behind it.
    package func inWorkers(_ count: Int) async throws -> PartReport {
        let begin = ContinuousClock.now
        let numbers = try await part.tries(at: scale, on: bench)
        let shares = (0..<count).map { worker in
            numbers.indices.filter { $0 % count == worker }.map { numbers[$0] }
        }
        var report = PartReport(part: part, seed: bench.seed)
        try await withThrowingTaskGroup { group in
            for share in shares { group.addTask { try await work(on: share) } }
            for try await results in group { for (number, result) in results { report.add(result, of: number) } }
        }
        report.duration = .now - begin
        return report
    }

    private func work(on share: [Int]) async throws -> [(Int, TryResult)] {
        var results: [(Int, TryResult)] = []
        var rest = share[...]
        while !rest.isEmpty {
            let file = bench.scratch + "/tries-" + UUID().uuidString
            try rest.map(String.init).joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
            let worker = try ChildProcess(
                bench.program,
                [
                    "worker", part.name, "--seed", "\(bench.seed)", "--tries", file, "--shim", bench.shim,
                    "--scratch", bench.scratch,
                ])
            let end = await watch(worker)
            let log = WorkerLog(worker.text)
            results += log.finished
            rest = rest.dropFirst(log.finished.count)
            guard let failed = log.begun ?? rest.first, !rest.isEmpty else { continue }
            let words = log.lastWords.isEmpty ? "" : ", saying: \(log.lastWords)"
            results.append((failed, TryResult(violations: ["the process \(end)\(words)"])))
            rest = rest.dropFirst()
        }
        return results
    }

    /// Waits until a worker has ended or hangs, by looking what it has printed; returns how it ended.
    private func watch(_ worker: ChildProcess) async -> String {
        var seen = -1
        var lastChange = ContinuousClock.now
        while worker.isRunning {
            try? await Task.sleep(for: .milliseconds(50))  // a cancelled run looks more often, and ends with its worker
            let length = worker.text.utf8.count
            if length != seen { (seen, lastChange) = (length, .now) }
            // Before the first try there is only the start of a process.
            let patience = part.patience + (seen == 0 ? 60 : 0)
            guard ContinuousClock.now - lastChange > .seconds(patience) else { continue }
            worker.killNow()
            return "hung for \(Int(part.patience)) s"
        }
        let code = worker.exitCode ?? 0
        return code < 0 ? "died of signal \(-code)" : "ended with \(code)"
    }
}

/// What a worker prints, read and written: "begin N", "fail TEXT", "skip TEXT", "end N name=count,…".
package struct WorkerLog {
    private(set) var finished: [(Int, TryResult)] = []
    private(set) var begun: Int?
    private(set) var lastWords = ""

    init(_ text: String) {
        var result = TryResult()
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 2)
            switch (words.first, words.count > 1 ? Int(words[1]) : nil) {
            case ("begin", let number?): (begun, result, lastWords) = (number, TryResult(), "")
            case ("fail", _): result.violations.append(String(line.dropFirst("fail ".count)))
            case ("skip", _): result.notRun = String(line.dropFirst("skip ".count))
            case ("end", let number?):
                for pair in (words.count > 2 ? words[2] : "").split(separator: ",") {
                    let parts = pair.split(separator: "=")
                    if parts.count == 2, let count = Int(parts[1]) { result.counts[String(parts[0])] = count }
                }
                finished.append((number, result))
                begun = nil
            default: lastWords = String(line.prefix(300))
            }
        }
    }

    /// Does tries and prints them.
    package static func write(_ numbers: [Int], of part: any TorturePart, on bench: TortureBench) async {
        for number in numbers {
            say("begin \(number)")
            do {
                let result = try await part.attempt(number, on: bench)
                for violation in result.violations {
                    say("fail " + violation.replacingOccurrences(of: "\n", with: " "))
                }
                if let reason = result.notRun { say("skip " + reason) }
                say("end \(number) " + result.counts.map { "\($0.key)=\($0.value)" }.joined(separator: ","))
            } catch {
                say("fail the try could not be made: \(error)")
                say("end \(number)")
            }
        }
    }

    private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}

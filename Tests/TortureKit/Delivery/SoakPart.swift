import Foundation
import TestSupport
import TrackEngine

/// The agent runs for long while something fails every now and then, and neither loses anything nor grows.
package struct SoakPart: TorturePart {
    package let name = "soak"
    package let summary = """
        trackd with a vehicle at 10 Hz and a receiver that fails, loses replies, falls silent or dies every few seconds, \
        for 30 minutes
        """
    package let bar = "all sums hold; neither descriptors nor memory grow"
    package let patience = 2400.0
    package let isMostlyWaiting = true

    package init() {}

    /// The number of a try is its length in seconds.
    package func tries(at scale: TortureScale, on bench: TortureBench) -> [Int] { scale == .full ? [1800] : [15] }

    package func attempt(_ number: Int, on bench: TortureBench) async throws -> TryResult {
        try await bench.withFolder { folder in
            var random = bench.random(name, number)
            let receiver = try await ReceiverProcess(log: folder + "/receiver.log")
            defer { receiver.stop() }
            let agent = try TorturedAgent(
                folder: folder,
                sink: """
                    {type: overland, name: home, url: "\(receiver.url("/input"))", timestamps: milliseconds, \
                    syncThreshold: 3, maxBatchSize: 50, backoff: {maximum: 2}, httpTimeout: 2000}
                    """)
            try agent.start(seed: random.next())
            var disturbances = DeliveryOracle.Disturbances()
            (disturbances.window, disturbances.reach) = (50, 50)
            var usage = ResourceTrend()
            let end = ContinuousClock.now + .seconds(number)
            while ContinuousClock.now < end {
                try await fault(of: receiver, &random, &disturbances)
                try receiver.setInput("ok")
                let rest = number > 60 ? 10...60 : 1...3
                try await Task.sleep(for: .seconds(Int.random(in: rest, using: &random)))  // what the part is about
                if let sample = agent.resources() { usage.add(sample) }
            }
            var problems = usage.violations
            if let problem = try await agent.finish(within: .seconds(90)) { problems.append(problem) }
            let (records, dead) = try await agent.stored()
            let oracle = DeliveryOracle(
                stored: records.map { .init(sequence: $0.sequence.rawValue, id: $0.id.description, isPoison: false) },
                dead: dead, arrivals: try receiver.records().map(\.id), emptyRequests: nil, disturbances: disturbances)
            var result = TryResult(violations: problems + oracle.violations)
            result.count("seconds", number)
            result.count("records", records.count)
            result.count("faults", disturbances.failures)
            result.count("repeats", oracle.duplicates)
            result.count("most descriptors", usage.mostDescriptors)
            result.count("most memory in KiB", usage.mostMemory)
            return result
        }
    }

    private func fault(
        of receiver: ReceiverProcess, _ random: inout some RandomNumberGenerator,
        _ disturbances: inout DeliveryOracle.Disturbances, isolation: isolated (any Actor)? = #isolation
    ) async throws {
        disturbances.failures += 3
        switch Int.random(in: 0..<6, using: &random) {
        case 0: try await receiver.restart()
        case 1: try receiver.setInput("silent,ok")
        case 2: try receiver.setInput("lost-reply,status:500,ok")
        case 3: try receiver.setInput("drip,ok")
        case 4: try receiver.setInput("garbage,truncated,reset,ok")
        default: try receiver.setInput("retry-after:1,status:503,ok")
        }
        try await Task.sleep(for: .milliseconds(Int.random(in: 500...4000, using: &random)))  // how long it lasts
    }
}

/// What a process holds of the system.
struct ResourceSample {
    let descriptors: Int
    /// Resident memory in KiB.
    let memory: Int

    /// Reads proc(5); `nil` when the process has ended.
    init?(pid: Int32) {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd"),  // ended: no figures
            let status = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8),  // as above
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") }),
            let memory = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
        else { return nil }
        self.descriptors = names.count
        self.memory = memory
    }
}

/// Whether samples grow: the median of the last third beside that of the second, since the first is the start.
struct ResourceTrend {
    private var samples: [ResourceSample] = []

    mutating func add(_ sample: ResourceSample) { samples.append(sample) }

    var mostDescriptors: Int { samples.map(\.descriptors).max() ?? 0 }
    var mostMemory: Int { samples.map(\.memory).max() ?? 0 }

    var violations: [String] {
        guard samples.count >= 9 else { return [] }
        let third = samples.count / 3
        let (middle, last) = (samples[third..<2 * third], samples.suffix(third))
        let descriptors = median(last.map(\.descriptors)) - median(middle.map(\.descriptors))
        let memory = median(last.map(\.memory)) - median(middle.map(\.memory))
        return [
            descriptors > 2 ? "descriptors grow by \(descriptors)" : nil,
            memory > 2048 ? "memory grows by \(memory) KiB" : nil,
        ].compactMap { $0 }
    }

    private func median(_ values: [Int]) -> Int { values.sorted()[values.count / 2] }
}

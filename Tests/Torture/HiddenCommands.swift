import ArgumentParser
import Foundation
import TortureKit

/// Makes some tries of a part and prints how each went, for the run that started it.
struct WorkerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "worker", shouldDisplay: false)

    @Argument var part: String
    @Option var seed: UInt64
    @Option(help: "A file with the numbers of the tries.") var tries: String
    @Option(help: "The library for LD_PRELOAD.") var shim: String
    @Option(help: "Where its folder is made.") var scratch: String?

    func run() async throws {
        guard let part = TortureCatalogue.part(part) else { throw ValidationError("There is no part '\(part)'.") }
        let numbers = try String(contentsOfFile: tries, encoding: .utf8).split(separator: "\n").compactMap { Int($0) }
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
        try await TortureBench.with(seed: seed, program: program, shim: shim, in: scratch) { bench in
            await WorkerLog.write(numbers, of: part, on: bench)
        }
    }
}

/// Uses a store at random and keeps the ledger: the process that the shim works on.
struct WorkloadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "workload", shouldDisplay: false)

    @Argument var directory: String
    @Argument var ledger: String
    @Argument var scenario: Scenario
    @Argument var seed: UInt64
    @Argument var steps: Int
    @Argument var firstNumber: Int
    @Option var mutant: Mutant?

    func run() async throws {
        let plan = Workload.Plan(
            scenario: scenario, seed: seed, steps: steps, mutant: mutant, firstNumber: firstNumber)
        var workload = try Workload(plan, directory: directory, ledger: ledger)
        guard await workload.run() else { throw ExitCode(3) }
    }
}

/// Uses a store under a mount or a shim of its own and prints what did not hold.
struct TrialCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "trial", shouldDisplay: false)

    @Argument(help: "disk or clock") var subject: String
    @Argument(help: "What happens to it.") var kind: String
    @Argument var directory: String
    @Argument(help: "The file that steers the shim.") var control: String
    @Argument(help: "With clock: from-start or later.") var moment = ""

    func run() async throws {
        let violations: [String]
        if subject == "disk", let kind = DiskTrial.Kind(rawValue: kind) {
            var trial = DiskTrial(kind, directory: directory, faultSwitch: control)
            violations = try await trial.run()
        } else if subject == "clock", let jump = ClockTrial.Jump(rawValue: kind) {
            let isWrongFromStart = moment == "from-start"
            var trial = ClockTrial(
                jump, isWrongFromStart: isWrongFromStart, directory: directory, clockFile: control)
            violations = try await trial.run()
        } else {
            throw ValidationError("There is no trial '\(subject) \(kind)'.")
        }
        for violation in violations { print("violation " + violation.replacing("\n", with: " ")) }
    }
}

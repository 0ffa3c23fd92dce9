import TestSupport

/// The wall clock is wrong at the start or jumps later, or the machine sleeps; the fixes' own time goes on.
package struct ClockPart: TorturePart {
    package let name = "clocks"
    package let summary = """
        the wall clock is a day, 8, 30 or 370 days off, in 1970 or beyond 2038, or the machine slept, or was halted, with and \
        without a clock that goes on, before the start or while the store is open; 400 records wait; the store's part
        """
    package let bar = "no timer stops, 0 undelivered dropped, order by sequence, delivered records still removed"

    package init() {}

    package func tries(at scale: TortureScale, on bench: TortureBench) -> [Int] {
        Array(0..<ClockTrial.Jump.allCases.count * 2)
    }

    package func attempt(_ number: Int, on bench: TortureBench) async throws -> TryResult {
        let jump = ClockTrial.Jump.allCases[number / 2 % ClockTrial.Jump.allCases.count]
        let moment = number % 2 == 0 ? "from-start" : "later"
        return try await bench.withFolder { folder in
            let child = try ChildProcess(
                bench.program, ["trial", "clock", jump.rawValue, folder + "/store", folder + "/clock", moment],
                environment: ["LD_PRELOAD": bench.shim, "TORTURE_CLOCK": folder + "/clock"])
            let code = await child.exit()
            var result = TryResult(counts: [moment: 1])
            let lines = child.text.split(separator: "\n").map(String.init)
            result.violations = lines.filter { $0.hasPrefix("violation ") }
                .map { "\(jump.rawValue) \(moment): \($0.dropFirst(10))" }
            if code != 0 {
                result.violations.append("\(jump.rawValue): ended with \(code): \(lines.last ?? "")")
            }
            return result
        }
    }
}

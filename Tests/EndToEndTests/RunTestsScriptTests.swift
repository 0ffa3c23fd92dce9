import Foundation
import TestSupport
import Testing
import TrackEngineTestKit

/// `scripts/run-tests`, with an imitation of the program of the tests.
@Suite("The script that runs the tests", .timeLimit(.minutes(30)))
struct RunTestsScriptTests {
    /// Notes its process and does what the file `behaviour` of the folder of tests says.
    private static let program = """
        #!/bin/sh
        while [ $# -gt 0 ]; do
            case $1 in
            --xunit-output) results=$2 ;;
            --experimental-maximum-parallelization-width) echo "$2" >>widths ;;
            --filter) folder=${2#^} folder=${folder%%\\[*} ;;
            esac
            shift
        done
        echo $$ >>begun
        case $(cat "Tests/$folder/behaviour") in
        pass)
            echo '<testcase />' >"$results"
            echo 'Test run with 1 test passed.' ;;
        crash) kill -SEGV $$ ;;
        silence) ;;
        nothing)
            echo '<testsuite />' >"$results"
            echo 'Test run with 0 tests passed.' ;;
        wait) exec sleep 100 ;;
        meet)
            # Ends when as many have begun as there are cores, and a little later, so that one too many is seen.
            mkdir -p running && touch running/$$
            ls running | wc -l >>together
            until [ "$(wc -l <begun)" -ge "$(nproc)" ]; do sleep 0.05; done
            sleep 0.2
            rm running/$$
            echo '<testcase />' >"$results"
            echo 'Test run with 1 test passed.' ;;
        esac
        """

    /// A folder with the script on a machine of so many cores, and folders of tests that behave so, by their names.
    private func withScript(
        _ folders: [String: String], cores: Int = 2, _ body: (String) async throws -> Void
    ) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let files = FileManager.default
            let root = URL(fileURLWithPath: #filePath).pathComponents.dropLast(3).joined(separator: "/").dropFirst()
            for name in ["scripts", "tmp", "bin", ".build/debug", ".build/release"] {
                try files.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
            }
            try files.copyItem(atPath: "\(root)/scripts/run-tests", toPath: "\(folder)/scripts/run-tests")
            var programs = ["bin/nproc": "#!/bin/sh\necho \(cores)\n"]
            for configuration in ["debug", "release"] {
                programs[".build/\(configuration)/track-enginePackageTests.xctest"] = Self.program
            }
            for (name, text) in programs {
                try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
                try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(folder)/\(name)")
            }
            for (name, behaviour) in folders {
                let tests = "\(folder)/Tests/\(name)"
                try files.createDirectory(atPath: tests, withIntermediateDirectories: true)
                try behaviour.write(toFile: tests + "/behaviour", atomically: true, encoding: .utf8)
            }
            try await body(folder)
        }
    }

    /// The script ends its whole group of processes: it gets one of its own.
    private func start(in folder: String, _ arguments: [String] = ["debug"]) throws -> ChildProcess {
        try ChildProcess(
            "/usr/bin/setsid", ["/bin/sh", "scripts/run-tests"] + arguments,
            environment: ["TMPDIR": folder + "/tmp", "PATH": folder + "/bin:/usr/bin:/bin"], directory: folder)
    }

    /// The processes that have run tests.
    private func begun(in folder: String) -> [Int32] {
        // None has begun where nobody has made the file.
        let text = (try? String(contentsOfFile: folder + "/begun", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { Int32($0) }
    }

    /// Whether a process is there and has not ended: one that nobody has waited for yet has the state Z (proc(5)).
    private func isRunning(_ pid: Int32) -> Bool {
        // Without the file it is gone.
        guard let status = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8) else { return false }
        return status.split(separator: ")").last?.split(separator: " ").first != "Z"
    }

    @Test(arguments: [("pass", 0, "4 0"), ("crash", 1, "3 0"), ("silence", 1, "3 0"), ("nothing", 1, "3 0")])
    func `passes only where tests of every folder have passed`(
        _ behaviour: String, _ code: Int32, _ counts: String
    ) async throws {
        let folders = ["No0Tests": "pass", "No1Tests": "pass", "No2Tests": behaviour, "No3Tests": "pass"]
        try await expect(code, counts, processes: 4, of: folders)
    }

    @Test(arguments: [("pass", 0, "3 0"), ("silence", 1, "0 0")])
    func `the agent's tests are three processes`(_ behaviour: String, _ code: Int32, _ counts: String) async throws {
        try await expect(code, counts, processes: 3, of: ["TrackdTests": behaviour])
    }

    @Test(arguments: [1, 2, 3])
    func `as many folders run at a time as there are cores, each with two tests at a time where there is more than one`(
        _ cores: Int
    ) async throws {
        let names = (0..<2 * cores).map { "No\($0)Tests" }
        try await withScript(Dictionary(uniqueKeysWithValues: names.map { ($0, "meet") }), cores: cores) { folder in
            let script = try start(in: folder)
            script.waitUntilExit()
            #expect(script.exitCode == 0, "\(script.text)")
            func numbers(_ file: String) throws -> [Int] {
                try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8).split(separator: "\n")
                    .compactMap { Int($0.trimmingCharacters(in: .whitespaces)) }
            }
            let together = try numbers("together")
            #expect(together.count == names.count && together.allSatisfy { $0 <= cores }, "\(together)")
            #expect(try Set(numbers("widths")) == [min(cores, 2)])
        }
    }

    /// Runs folders of tests that behave so, by their names, to the end.
    private func expect(
        _ code: Int32, _ counts: String, processes: Int, of folders: [String: String]
    ) async throws {
        try await withScript(folders) { folder in
            let script = try start(in: folder)
            script.waitUntilExit()
            #expect(script.exitCode == code, "\(script.text)")
            #expect(begun(in: folder).count == processes)
            let counted = try String(contentsOfFile: folder + "/.build/logs/debug.counts", encoding: .utf8)
            #expect(counted == counts + "\n")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/tmp") == [])
        }
    }

    @Test(arguments: [SIGHUP, SIGINT, SIGTERM])
    func `ends all that runs when it is ended, and begins nothing more`(_ signal: Int32) async throws {
        try await withScript(["No0Tests": "wait", "No1Tests": "wait", "No2Tests": "pass", "No3Tests": "pass"]) {
            folder in
            let script = try start(in: folder)
            await eventually("two folders") { begun(in: folder).count == 2 }
            script.send(signal)
            script.waitUntilExit()
            #expect(script.exitCode == 128 + SIGTERM, "\(script.text)")
            let processes = begun(in: folder)
            await eventually("their end") { !processes.contains(where: isRunning) }
            #expect(processes.count == 2 && begun(in: folder) == processes)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/tmp") == [])
        }
    }

    @Test func `a second run of the same configuration is refused, one of another is not`() async throws {
        try await withScript(["No0Tests": "wait", "No1Tests": "wait", "No2Tests": "wait"]) { folder in
            let script = try start(in: folder)
            await eventually("two folders") { begun(in: folder).count == 2 }
            let second = try start(in: folder)
            second.waitUntilExit()
            #expect(second.exitCode == 75 && second.text.contains("Another run of the debug tests"))
            let third = try start(in: folder, ["release"])
            await eventually("two more") { begun(in: folder).count == 4 }
            for script in [script, third] {
                script.send(SIGTERM)
                script.waitUntilExit()
            }
        }
    }
}

import Foundation
import TestSupport
import Testing
import TrackEngineTestKit

/// Programs that tests start.
@Suite struct ChildProcessTests {
    /// Starts its arguments as tests start programs, prints the pid and waits.
    private static let parent = """
        #include "Spawning.h"
        #include <stdio.h>
        #include <unistd.h>
        int main(int count, char **arguments) {
            char *environment[] = {NULL};
            pid_t pid = 0;
            if (count < 2 || spawning_start(arguments + 1, environment, NULL, &pid) < 0) return 1;
            printf("%d\\n", pid);
            fflush(stdout);
            pause();
        }
        """

    /// Compiles the program that starts others, with the code by which tests start theirs.
    private func compileParent(in folder: String) throws -> String {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let spawning = tests.appendingPathComponent("Spawning").path
        try Self.parent.write(toFile: folder + "/parent.c", atomically: true, encoding: .utf8)
        let command =
            "exec cc -o \(folder)/parent -I \(spawning)/include \(folder)/parent.c \(spawning)/Spawning.c -lpthread"
        let compiler = try ChildProcess("/bin/sh", ["-c", command])
        compiler.waitUntilExit()
        try #require(compiler.exitCode == 0, "a C compiler called cc is needed: \(compiler.text)")
        return folder + "/parent"
    }

    /// Whether a process is there and has not ended: one that nobody has waited for yet has the state Z (proc(5)).
    private func isRunning(_ pid: Int32) -> Bool {
        // Without the file it is gone.
        guard let status = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8) else { return false }
        return status.split(separator: ")").last?.split(separator: " ").first != "Z"
    }

    @Test
    func `a program is killed when the process that started it is, also where it has given up root`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let asNobody = getuid() == 0 ? ["/usr/bin/setpriv", "--reuid=65534", "--clear-groups"] : []
            let parent = try ChildProcess(compileParent(in: folder), asNobody + ["/bin/sleep", "600"])
            await eventually("the child") { parent.text.hasSuffix("\n") }
            let pid = try #require(Int32(parent.text.dropLast()))
            #expect(isRunning(pid))
            parent.send(SIGKILL)
            await eventually("its end") { !isRunning(pid) }
        }
    }

    @Test
    func `a program has nothing to read, and is told so at once`() async throws {
        let reader = try ChildProcess("/bin/cat", [])
        await eventually("its end") { !reader.isRunning }
        #expect(reader.exitCode == 0 && reader.text.isEmpty)
        let shell = try ChildProcess("/bin/sh", ["-c", "readlink /proc/self/fd/0"])
        #expect(await shell.exit() == 0)
        #expect(shell.text.hasPrefix("pipe:"), "what root's programs do to /dev/null does not matter")
    }

    @Test
    func `a program outlives the thread that started it`() async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let started: ChildProcess = try await withCheckedThrowingContinuation { continuation in
                Thread.detachNewThread {
                    let command = "until [ -e \(folder)/go ]; do sleep 0.01; done; echo alive"
                    continuation.resume(with: Result { try ChildProcess("/bin/sh", ["-c", command]) })
                }
            }
            try "".write(toFile: folder + "/go", atomically: true, encoding: .utf8)
            await eventually("its word") { started.text == "alive\n" }
            started.waitUntilExit()
            #expect(started.exitCode == 0)
        }
    }
}

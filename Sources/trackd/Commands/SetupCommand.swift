import ArgumentParser
import TrackEngine

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// `trackd setup 'overland://setup?url=…&token=…&device_id=…' [--config FILE]`
struct SetupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup",
        abstract: "Write a receiver's setup link into the configuration.",
        discussion: """
            What the link does not mention stays as it is. The token goes into a file of its own beside the \
            configuration, mode 0600. With - as link, it is read from standard input, where other users of this machine \
            cannot see it.
            """)

    @Argument(help: "The link overland://setup?…, or - for standard input.")
    var link: String

    @Option(help: ArgumentHelp("The configuration file to write.", valueName: "file"))
    var config = "trackd.yaml"

    func run() async throws {
        let link = try parsedLink()
        let path = absolutePath
        let old = try existingFile(path)
        let plan = try ExitStatus.reportingConfigurationProblems { () throws(AgentConfigurationError) in
            let plan = try SetupPlan(link: link, existing: old?.bytes ?? [], path: path)
            try plan.check(path: path, isPrivate: old?.isPrivate ?? true)
            return plan
        }
        do throws(FileProblem) {
            try plan.write(path: path, replacing: old)
        } catch {
            StandardError.write("\(error)\n")
            throw ExitStatus.cannotCreate
        }
        report(plan, link, path)
    }

    private func parsedLink() throws -> SetupLink {
        do throws(SetupLink.Malformed) {
            return try SetupLink(link == "-" ? (readLine() ?? "") : link)
        } catch {
            throw ValidationError("\(error)")
        }
    }

    /// The configuration's own path, also where a symbolic link leads to it.
    private var absolutePath: String {
        guard let real = realpath(config, nil) else {
            guard !config.hasPrefix("/"), let directory = realpath(".", nil) else { return config }
            defer { free(directory) }
            return String(cString: directory) + "/" + config
        }
        defer { free(real) }
        return String(cString: real)
    }

    private func existingFile(_ path: String) throws -> SmallFile? {
        do throws(SmallFile.Failure) {
            return try SmallFile.read(path, limit: YAMLReader.maximumBytes)
        } catch .missing {
            return nil
        } catch {
            StandardError.write("\(path): expected \(error.expectation)\n")
            throw ExitStatus.configuration
        }
    }

    private func report(_ plan: SetupPlan, _ link: SetupLink, _ path: String) {
        print("wrote \(path)")
        for secret in plan.secrets { print("wrote \(secret.path) (mode 0600)") }
        if !plan.keepsComments { print("comments could not be kept; the old text is in \(path).bak") }
        if !link.ignored.isEmpty { print("ignored: \(link.ignored.joined(separator: ", "))") }
    }
}

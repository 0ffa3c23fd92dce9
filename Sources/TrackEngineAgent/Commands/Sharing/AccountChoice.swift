import ArgumentParser
import TrackEngine
import TrackEngineSettings

/// The account that a command is about, and the requests to it.
struct AccountChoice: ParsableArguments {
    @OptionGroup var options: ConfigurationOptions

    @Option(help: "The sink's name, where the configuration has several that share the place.")
    var sink: String?

    /// The identity; made if there is none.
    func identity() async throws -> SharingIdentity {
        try await with { account in try await account.identity() }
    }

    /// Makes a request and prints its outcome on standard output, and the warning, if there is one, on standard error.
    func perform(_ request: SharingRequest) async throws {
        let outcome = try await with { account in try await account.perform(request) }
        for line in outcome.lines { print(line) }
        if let caution = outcome.caution { ErrorOutput.write("note: \(caution)\n") }
    }

    private func with<Result: Sendable>(_ body: (any SharingAccount) async throws -> Result) async throws -> Result {
        let account = try PluginChoice(configuration: options.loadForRun()).account(of: sink)
        do {
            let result = try await body(account)
            await account.close()
            return result
        } catch let error as SharingError {
            await account.close()
            ErrorOutput.write("\(error)\n")
            throw ExitCode.failure
        }
    }

    /// The first line of a file that only its owner can read.
    static func secret(in path: String) throws -> Secret {
        do throws(PrivateFileError) {
            guard let (bytes, _) = try PrivateFile.read(path, atMost: 8192) else {
                throw PrivateFileError("\(path): expected a file with a key")
            }
            let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
            return Secret(String(decoding: line, as: UTF8.self))
        } catch {
            throw ExitStatus.noInput.saying("\(error)")
        }
    }

    /// Asks a question and ends the command unless the answer is yes.
    ///
    /// - Parameter outcome: the message in that case.
    static func confirm(_ question: String, otherwise outcome: String = "no data was deleted") throws {
        ErrorOutput.write(question)
        guard let answer = readLine(), ["y", "yes"].contains(answer.lowercased()) else {
            ErrorOutput.write("\(outcome)\n")
            throw ExitCode.failure
        }
    }
}

import ArgumentParser
import Logging
import TrackEngine
import TrackEngineSettings

/// `trackd store make-key|rotate-key|decrypt`
struct StoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Look after the key that the store is encrypted under.",
        discussion: """
            With store.encryption.key in the configuration the store is encrypted; one that was in plain is when the agent \
            starts. Without its key nobody can read it, also not its owner. To change the key the agent must be stopped. The \
            exit status is 66 if there is no store or no key in the file, 73 if the file is there or cannot be written, 75 if \
            another process has the store.
            """,
        subcommands: [MakeKey.self, RotateKey.self, Decrypt.self])

    struct MakeKey: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "make-key", abstract: "Write a new key to a new file that only its owner can read.")

        @Argument(help: "The file; it must not be there.")
        var file: String

        /// 32 bytes of the system's random numbers, as 64 hexadecimal digits.
        private static var newKey: String {
            var generator = SystemRandomNumberGenerator()
            return (0..<32).map { _ in
                let byte = UInt8.random(in: 0...255, using: &generator)
                return (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }.joined()
        }

        func run() async throws {
            do throws(FileProblem) {
                // What is there is never overwritten: it may be the only key to something.
                try AtomicFile.write(Array((Self.newKey + "\n").utf8), to: file, .creating)
            } catch {
                StandardError.write("\(error)\n")
                throw ExitStatus.cannotCreate
            }
        }
    }

    struct RotateKey: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate-key",
            abstract: "Encrypt the store under another key, which the configuration must name from then on.",
            discussion: """
                Everything is written anew, which takes the store's size again on the disk. If it is interrupted, run it \
                again: the store is whole under one of the two keys until then. When it has ended, the old key opens nothing.
                """)

        @OptionGroup var options: ConfigurationOptions

        @Option(help: ArgumentHelp("The file with the new key.", valueName: "file"))
        var newKey: String

        func run() async throws {
            let secrets = AgentSecrets(SecretReader(environment: ProcessEnvironment.current))
            let key: Secret
            do throws(SecretFailure) { key = try secrets.take("new-key", .file(newKey)) } catch {
                StandardError.write("--new-key = ***: expected \(error.expectation)\n")
                throw ExitStatus.noInput
            }
            try await StoreCommand.rewrite(options, .key(key), secrets)
            print("the store is encrypted under the new key: let store.encryption.key name it before the agent starts")
        }
    }

    struct Decrypt: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "End encryption: write the store in plain.",
            discussion:
                "Remove store.encryption from the configuration before the agent starts, or it is encrypted again.")

        @OptionGroup var options: ConfigurationOptions

        func run() async throws {
            let secrets = AgentSecrets(SecretReader(environment: ProcessEnvironment.current))
            try await StoreCommand.rewrite(options, .plain, secrets)
            print("the store is in plain: remove store.encryption from the configuration before the agent starts")
        }
    }

    fileprivate static func rewrite(
        _ options: ConfigurationOptions, _ change: StoreKeyChange, _ secrets: AgentSecrets
    ) async throws {
        let store = try options.load().store
        guard store.mayHoldRecords else {
            StandardError.write("there is no store in \(store.path)\n")
            throw ExitStatus.noInput
        }
        do throws(StoreError) {
            let logger = Logger(label: Agent.current.name) { _ in SwiftLogNoOpLogHandler() }
            try await store.kind.rewriteStore(in: store.path, change, secrets: secrets, logger: logger)
        } catch {
            StandardError.write("cannot write the store anew: \(error)\n")
            throw error.code == .locked ? ExitStatus.temporaryFailure : ExitCode.failure
        }
    }
}

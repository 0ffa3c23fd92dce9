import ArgumentParser
import Logging
import TrackEngine
import TrackEngineSettings

/// `trackd store make-key|rotate-key|decrypt`
struct StoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Make or change the key that encrypts the store, or decrypt it.",
        discussion: """
            With store.encryption.key in the configuration the store is encrypted, and so are the histories of its sinks, and the \
            files with devices, ids and tokens next to them; \
            plain data is encrypted when the agent starts. Without the key the data cannot be read, not even by its owner. \
            To change the key the agent must be stopped. The \
            exit status is 66 if there is no store or no key in the file, 73 if the file is there or cannot be written, 75 if \
            another process has the store, 78 for a wrong key.
            """,
        subcommands: [MakeKey.self, RotateKey.self, Decrypt.self])

    struct MakeKey: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "make-key", abstract: "Write a new key to a new file that only its owner can read.")

        @Argument(help: "The file; it must not be there.")
        var file: String

        func run() async throws {
            do throws(FileProblem) {
                // An existing file is never overwritten: it may contain the only key to encrypted data.
                try AtomicFile.write(Array((StoreKey.random().hexadecimal.revealed + "\n").utf8), to: file, .creating)
            } catch {
                throw ExitStatus.cannotCreate.saying("\(error)")
            }
        }
    }

    struct RotateKey: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate-key",
            abstract:
                "Encrypt the store and the files next to it under another key, which the configuration must name from then on.",
            discussion: """
                The store is written anew, which takes its size again on the disk; of a history only the file key.sealed is. \
                If it is interrupted, run it again: until then everything opens with the key with which the store does. When \
                it has ended, the old key opens no data in the state directory, and none of the sinks that the configuration \
                has. Data that opens with neither key is reported and left as it is.
                """)

        @OptionGroup var options: ConfigurationOptions

        @Option(help: ArgumentHelp("The file with the new key.", valueName: "file"))
        var newKey: String

        func run() async throws {
            let secrets = AgentSecretReader(SecretReader(environment: ProcessEnvironment.current))
            let key: Secret
            do throws(SecretFailure) {
                key = try secrets.take("new-key", .file(newKey))
                guard StoreKey(key) != nil else { throw SecretFailure(expectation: StoreKey.expectation) }
            } catch {
                throw ExitStatus.noInput.saying("--new-key = ***: expected \(error.expectation)")
            }
            try await StoreCommand.rewrite(options, .key(key), secrets)
            print("all is encrypted under the new key: let store.encryption.key name it before the agent starts")
        }
    }

    struct Decrypt: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "End encryption: write the store and the files next to it in plain.",
            discussion:
                "Remove store.encryption from the configuration before the agent starts, or all is encrypted again.")

        @OptionGroup var options: ConfigurationOptions

        func run() async throws {
            let secrets = AgentSecretReader(SecretReader(environment: ProcessEnvironment.current))
            try await StoreCommand.rewrite(options, .plain, secrets)
            print("all is in plain: remove store.encryption from the configuration before the agent starts")
        }
    }

    fileprivate static func rewrite(
        _ options: ConfigurationOptions, _ change: StoreKeyChange, _ secrets: AgentSecretReader
    ) async throws {
        let configuration = try options.load()
        let store = configuration.store
        guard store.mayHoldRecords else {
            throw ExitStatus.noInput.saying("there is no store in \(store.path)")
        }
        do throws(StoreError) {
            let left = try await KeyChange(
                store: store, places: configuration.encryptedPlaces, found: configuration.foundEncryptedPlaces,
                secrets: secrets
            ).run(change)
            for line in left { ErrorOutput.write("note: \(line)\n") }
        } catch {
            ErrorOutput.write("cannot write the store anew: \(error)\n")
            throw error.exitStatus
        }
    }
}

import ArgumentParser
import TrackEngine
import TrackEngineSettings

/// The choice of a server of the configuration, and requests of commands to the list of its devices and viewers.
struct ServerChoice: ParsableArguments {
    @OptionGroup var options: ConfigurationOptions

    @Option(help: "The sink's name, where the configuration has several that receive.")
    var sink: String?

    /// Finds the server, asks its list and prints the lines of the answer.
    func show(_ question: (any DeviceRegistry) throws -> [String]) throws {
        for line in try ask(question) { print(line) }
    }

    /// Finds the server and runs a request to its list; an error goes to standard error and ends the command.
    func ask<Result>(_ question: (any DeviceRegistry) throws -> Result) throws -> Result {
        let registry = try registry()
        return try Self.reporting { try question(registry) }
    }

    /// The list of the server that is meant.
    func registry() throws -> any DeviceRegistry {
        let configuration = try options.loadForRun()
        let key = try configuration.store.provenKey(
            AgentSecretReader(SecretReader(environment: ProcessEnvironment.current)))
        let sinks = configuration.sinks.filter { sink == nil || $0.name.rawValue == sink }
        let registries = try Self.reporting { try sinks.compactMap { try $0.deviceRegistry(encryptedUnder: key) } }
        guard let only = registries.first, registries.count == 1 else {
            let expectation =
                registries.isEmpty ? "a sink that receives, of type server" : "--sink NAME, one of several"
            throw ExitStatus.configuration.saying("expected \(expectation)")
        }
        return only
    }

    /// Ends the command where there was no entry with the given name.
    static func require(_ wasThere: Bool, _ name: String, _ expectation: String) throws {
        guard !wasThere else { return }
        throw ExitStatus.usage.saying("\(name.quoted(atMost: 64)): expected \(expectation)")
    }

    private static func reporting<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as DeviceRegistryError {
            throw ExitStatus.configuration.saying("\(error)")
        }
    }
}

import ArgumentParser
import Logging
import TrackEngine
import TrackEngineSettings

/// Finds the one source or sink of the configuration that a command is about.
struct PluginChoice {
    let configuration: AgentConfiguration

    /// The context of plugins outside a run.
    private func context() throws -> PluginContext {
        let secrets = AgentSecretReader(SecretReader(environment: ProcessEnvironment.current))
        var context = PluginContext(
            device: DeviceIdentity.present(configuration),
            secrets: secrets,
            logger: Logger(label: Agent.current.name, factory: { _ in SwiftLogNoOpLogHandler() }),
            programVersion: Agent.current.version)
        context.stateDirectory = configuration.store.path
        context.storeKey = try configuration.store.provenKey(secrets)
        return context
    }

    /// The account of the selected sink.
    func account(of name: String?) throws -> any SharingAccount {
        let sinks = configuration.sinks.filter { name == nil || $0.name.rawValue == name }
        var accounts: [any SharingAccount] = []
        let shared = try context()
        for sink in sinks {
            var context = shared
            context.prefix = "sinks.\(sink.name)."
            do throws(ConfigurationError) {
                if let account = try sink.sharingAccount(context) { accounts.append(account) }
            } catch {
                for problem in error.problems { ErrorOutput.write("sinks.\(sink.name).\(problem)\n") }
                throw ExitStatus.configuration
            }
        }
        return try only(accounts, "a sink that shares the place, of type miataru", "--sink NAME")
    }

    /// The list of the selected source.
    func followList(of name: String?) throws -> any FollowList {
        guard case .listed(let sources) = configuration.sources else { return try only([], Self.aSource, "") }
        let shared = try context()
        let lists = sources.filter { name == nil || $0.name.rawValue == name }.compactMap { source in
            var context = shared
            context.prefix = "sources.\(source.name)."
            return (source.kind as? any FollowSettings)?.followList(named: source.name, context)
        }
        return try only(lists, Self.aSource, "--source NAME")
    }

    private static let aSource = "a source that follows devices, of type miataru"

    private func only<Element>(_ found: [Element], _ expectation: String, _ option: String) throws -> Element {
        guard let only = found.first, found.count == 1 else {
            throw ExitStatus.configuration.saying(
                "expected \(found.isEmpty ? expectation : "\(option), one of several")")
        }
        return only
    }
}

extension StoreConfiguration {
    /// The key that files next to the store are encrypted under, for a command that reads or writes them without an
    /// agent; `nil` if the store is in plain. Another key than that of the existing store ends the command with
    /// status 78: files written with it would be unreadable.
    func provenKey(_ secrets: AgentSecretReader) throws -> StoreKey? {
        do throws(ConfigurationError) { try kind.checkKey(in: path, secrets: secrets) } catch {
            for problem in error.problems { ErrorOutput.write("store.\(problem)\n") }
            throw ExitStatus.configuration
        }
        do throws(StoreError) { return try kind.storeKey(from: secrets) } catch {
            ErrorOutput.write("\(error)\n")
            throw error.exitStatus
        }
    }
}

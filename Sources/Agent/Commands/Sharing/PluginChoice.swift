import ArgumentParser
import Logging
import TrackEngine
import TrackEngineSettings

/// Finds the one source or sink of the configuration that a command is about.
struct PluginChoice {
    let configuration: AgentConfiguration

    /// What plugins are made with outside a run.
    private var context: PluginContext {
        var context = PluginContext(
            device: DeviceIdentity.present(configuration),
            secrets: AgentSecrets(SecretReader(environment: ProcessEnvironment.current)),
            logger: Logger(label: Agent.current.name, factory: { _ in SwiftLogNoOpLogHandler() }),
            programVersion: Agent.current.version)
        context.stateDirectory = configuration.store.path
        return context
    }

    /// The account of the sink that is meant.
    func account(of name: String?) throws -> any SharingAccount {
        let sinks = configuration.sinks.filter { name == nil || $0.name.rawValue == name }
        var accounts: [any SharingAccount] = []
        for sink in sinks {
            var context = context
            context.prefix = "sinks.\(sink.name)."
            do throws(ConfigurationError) {
                if let account = try sink.kind.sharingAccount(named: sink.name, context) { accounts.append(account) }
            } catch {
                for problem in error.problems { StandardError.write("sinks.\(sink.name).\(problem)\n") }
                throw ExitStatus.configuration
            }
        }
        return try only(accounts, "a sink that shares the place, of type miataru", "--sink NAME")
    }

    /// The list of the source that is meant.
    func followList(of name: String?) throws -> any FollowList {
        guard case .listed(let sources) = configuration.sources else { return try only([], Self.aSource, "") }
        let lists = sources.filter { name == nil || $0.name.rawValue == name }.compactMap { source in
            var context = context
            context.prefix = "sources.\(source.name)."
            return source.kind.followList(named: source.name, context)
        }
        return try only(lists, Self.aSource, "--source NAME")
    }

    private static let aSource = "a source that follows devices, of type miataru"

    private func only<Element>(_ found: [Element], _ expectation: String, _ option: String) throws -> Element {
        guard let only = found.first, found.count == 1 else {
            StandardError.write("expected \(found.isEmpty ? expectation : "\(option), one of several")\n")
            throw ExitStatus.configuration
        }
        return only
    }
}

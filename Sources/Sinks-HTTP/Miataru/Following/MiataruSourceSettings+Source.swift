package import TrackEngine
package import TrackEngineSettings

extension MiataruSourceSettings {
    package mutating func check(_ table: inout TableDecoder) {
        reject(ConfigurationCheck.problems { _ = $0.endpoint(of: address, call: "") }, in: &table)
        if Set(places.map(\.name)).count < places.count {
            table.reject("places", "(\(places.count) places)", "a name of its own for each")
        }
    }

    package func makeSources(named name: SourceID, _ context: PluginContext) throws(ConfigurationError)
        -> [any FixSource]
    {
        let server: MiataruServer
        let identity: MiataruIdentity?
        do throws(ConfigurationError) {
            server = try MiataruServer(address)
            identity = try self.identity(context)
        } catch { throw error.underSettingsKeys }
        let entries = try followed(context)
        if let own = entries.first(where: { $0.name == context.device.rawValue }) {
            throw ConfigurationError(
                "follow", own.name.quoted(atMost: 64), "names that are not that of this agent's own device")
        }
        return [
            MiataruSource(
                id: name, server: server,
                list: FollowedList(
                    entries, of: name, in: context.stateDirectory ?? ".", own: context.device, key: context.storeKey),
                keeper: keeper(name.rawValue, identity, context),
                places: places.map(\.place), interval: .seconds(interval), logger: context.logger)
        ]
    }

    package func followList(named name: SourceID, _ context: PluginContext) -> any FollowList {
        // Unreadable ids are reported when the source is made.
        FollowedList(
            (try? followed(context)) ?? [], of: name, in: context.stateDirectory ?? ".", own: context.device,
            key: context.storeKey)
    }

    /// The devices of the configuration.
    private func followed(_ context: PluginContext) throws(ConfigurationError) -> [FollowEntry] {
        var entries: [FollowEntry] = []
        for fields in follow {
            guard let reference = fields.id else { continue }
            let secret = try context.secret("follow.\(fields.name).id", reference)
            let entry = FollowEntry(
                id: MiataruLink.id(in: secret) ?? secret, name: fields.name, group: fields.group)
            if let problem = FollowedList.problem(of: entry, beside: entries) {
                let expectation = problem.hasPrefix("expected ") ? String(problem.dropFirst(9)) : problem
                throw ConfigurationError("follow.\(fields.name)", "***", expectation)
            }
            entries.append(entry)
        }
        return entries
    }
}

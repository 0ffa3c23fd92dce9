import HTTPDelivery
package import TrackEngine
package import TrackEngineSettings

extension MiataruSourceSettings {
    package mutating func check(_ table: inout TableDecoder) {
        var check = ConfigurationCheck()
        _ = check.endpoint(of: address, call: "GetLocation")
        let isReadable = Endpoint(ifReadable: url) != nil  // what is missing or malformed was reported when it was read
        for problem in check.problems where isReadable || problem.key != "url" {
            let key = TLSFiles.key(ofOption: problem.key) ?? problem.key
            table.reject(key, problem.value, problem.expectation)
        }
        if Set(places.map(\.name)).count < places.count {
            table.reject("places", "(\(places.count) places)", "a name of its own for each")
        }
    }

    package func makeSources(named name: SourceID, _ context: PluginContext) throws(ConfigurationError) -> [any FixSource]
    {
        let server: MiataruServer
        do throws(ConfigurationError) { server = try MiataruServer(address) } catch {
            throw ConfigurationError(
                problems: error.problems.map { problem in
                    let key = TLSFiles.key(ofOption: problem.key) ?? problem.key
                    return ConfigurationProblem(key: key, value: problem.value, expectation: problem.expectation)
                })
        }
        let entries = try followed(context)
        if let own = entries.first(where: { $0.name == context.device.rawValue }) {
            throw ConfigurationError(problems: [
                ConfigurationProblem(
                    key: "follow", value: own.name.quoted(atMost: 64),
                    expectation: "names that are not that of this agent's own device")
            ])
        }
        return [
            MiataruSource(
                id: name, server: server,
                list: FollowedList(entries, of: name, in: context.stateDirectory ?? "."),
                keeper: try MiataruSettings.keeper(name.rawValue, deviceID, deviceKey, context),
                places: places.map(\.place), interval: .seconds(interval), logger: context.logger)
        ]
    }

    package func followList(named name: SourceID, _ context: PluginContext) -> (any FollowList)? {
        // Ids that cannot be read are reported when the source is made.
        FollowedList((try? followed(context)) ?? [], of: name, in: context.stateDirectory ?? ".")
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
                throw ConfigurationError(problems: [
                    ConfigurationProblem(key: "follow.\(fields.name)", value: "***", expectation: expectation)
                ])
            }
            entries.append(entry)
        }
        return entries
    }

    private var address: ServerAddress {
        var address = ServerAddress(url: url)
        address.httpTimeout = .milliseconds(httpTimeout)
        address.tls = tls
        address.allowInsecure = allowInsecure
        return address
    }
}

package import TrackEngine
package import TrackEngineSettings

extension OverlandSettings {
    package func makeSink(
        named name: SinkID, _ context: PluginContext
    ) throws(ConfigurationError) -> any FixSink {
        let credentials: OverlandSink.Credentials
        do throws(ConfigurationError) { credentials = try self.credentials(context) } catch {
            // Whoever lacks a secret is told what else is wrong, too.
            throw ConfigurationError(problems: error.problems + problemsBesideSecrets(named: name, context))
        }
        let configuration = configuration(device: context.device, credentials: credentials)
        do throws(ConfigurationError) {
            return try OverlandSink(
                id: name, configuration: configuration, credentials: { await renew(credentials, context) })
        } catch {
            throw ConfigurationError(problems: error.problems.map(inWordsOfSettings))
        }
    }

    private func problemsBesideSecrets(named name: SinkID, _ context: PluginContext) -> [ConfigurationProblem] {
        do throws(ConfigurationError) {
            _ = try ValidatedConfiguration(configuration(device: context.device, credentials: standIns), id: name)
            return []
        } catch {
            return error.problems.map(inWordsOfSettings)
        }
    }

    /// The sink's configuration.
    func configuration(device: DeviceID, credentials: OverlandSink.Credentials) -> OverlandSink.Configuration {
        var sink = OverlandSink.Configuration(url: url, deviceID: self.device(device))
        sink.profile = profile.option
        sink.method = method
        sink.token = credentials.token
        sink.basicAuthentication = credentials.basicAuthentication
        sink.headers = credentials.headers
        sink.httpTimeout = .milliseconds(httpTimeout)
        sink.success = success.map(\.option)
        sink.timestampPrecision = timestamps == .milliseconds ? .milliseconds : .seconds
        sink.integerSpeed = integerSpeed
        sink.unknownBattery = battery.option
        sink.tls = tlsOptions
        sink.allowInsecure = allowInsecure
        return sink
    }

    private func credentials(_ context: PluginContext) throws(ConfigurationError) -> OverlandSink.Credentials {
        var credentials = OverlandSink.Credentials()
        if let token { credentials.token = try context.secret("token", token) }
        if let basicAuth {
            credentials.basicAuthentication = .init(
                user: basicAuth.user, password: try context.secret("basicAuth.password", basicAuth.password))
        }
        for header in headers {
            let value = try context.secret("headers.\(header.name)", header.value)
            credentials.headers.append(HeaderField(name: header.name, value: value))
        }
        return credentials
    }

    /// The same credentials with the secrets of this moment.
    private func renew(
        _ credentials: OverlandSink.Credentials, _ context: PluginContext
    ) async -> OverlandSink.Credentials {
        var renewed = credentials
        if token != nil { renewed.token = await context.currentSecret("token") ?? renewed.token }
        if let basic = renewed.basicAuthentication {
            renewed.basicAuthentication?.password = await context.currentSecret("basicAuth.password") ?? basic.password
        }
        for index in renewed.headers.indices {
            let field = renewed.headers[index]
            let value = await context.currentSecret("headers.\(field.name)") ?? field.value
            renewed.headers[index] = HeaderField(name: field.name, value: value)
        }
        return renewed
    }
}

extension OverlandSettings.Profile {
    fileprivate var option: OverlandSink.Configuration.Profile {
        switch self {
        case .overland: .overland
        case .trace: .trace
        case .calmgeo: .calmgeo
        }
    }
}

extension OverlandSettings.SuccessRule {
    fileprivate var option: OverlandSink.Configuration.SuccessRule {
        switch self {
        case .ok: .resultOK
        case .any2xx: .any2xx
        }
    }
}

extension OverlandSettings.BatteryStyle {
    fileprivate var option: OverlandSink.Configuration.UnknownBattery {
        switch self {
        case .asOverland: .unknown
        case .omit: .omitted
        case .mains: .mains
        }
    }
}

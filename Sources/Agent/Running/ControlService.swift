import ServiceLifecycle

/// The control socket as a service; it outlives the tracker, so that a slow stop can be watched.
struct ControlService: Service {
    let server: ControlServer

    func run() async throws {
        await cancelWhenGracefulShutdown { await server.run() }
    }
}

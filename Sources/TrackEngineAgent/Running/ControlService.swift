import ServiceLifecycle

/// The control socket as a service. It outlives the tracker, so clients can watch a slow stop.
struct ControlService: Service {
    let server: ControlServer

    func run() async throws {
        await cancelWhenGracefulShutdown { await server.run() }
    }
}

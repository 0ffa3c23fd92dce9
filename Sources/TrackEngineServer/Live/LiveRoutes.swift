import CoreMetrics
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import ServiceLifecycle
import TrackEngine

/// `GET /api/live`: live events, as server-sent events, and a sign of life every 15 seconds.
///
/// Each viewer has a buffer of its own. A slow viewer misses events and does not affect others.
struct LiveRoutes: Sendable {
    let access: AccessFile
    let feed: LivePublisher
    let clock: any Clock<Duration>
    let viewers: Meter

    /// The longest time without an event for a viewer.
    static let heartbeat = Duration.seconds(15)
    /// The most viewers.
    static let maximumViewers = 1_000
    /// The most events that wait for a viewer.
    static let bufferedEvents = 16
    /// The most bytes that the kernel may hold for a viewer that does not read. Its own limit is some megabytes.
    private static let kernelBuffer: Int32 = 16_384
    /// The most bytes that wait here for such a viewer until its events do. Small writes take many times their
    /// length.
    private static let writeBuffer = ChannelOptions.Types.WriteBufferWaterMark(low: 1024, high: 4096)

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("/api/live") { request, context in
            let query = ParameterList(request.uri.query ?? "")
            guard let rights = request.rights(of: access, query)?.rights else {
                return Response.failure(.unauthorized, "expected the key for reading")
            }
            guard feed.listenerCount < Self.maximumViewers else {
                return Response.failure(.serviceUnavailable, "expected at most \(Self.maximumViewers) viewers")
            }
            if let channel = (context as? ServerContext)?.channel { await bound(channel) }
            return Response(
                status: .ok, headers: [.contentType: "text/event-stream"],
                body: ResponseBody { writer in
                    try await write(to: &writer, rights) { request.rights(of: access, query)?.rights == rights }
                })
        }
    }

    /// Sees that little is held for a viewer. Where that cannot be set the defaults hold.
    private func bound(_ channel: any Channel) async {
        try? await channel.setOption(.socketOption(.so_sndbuf), value: .init(Self.kernelBuffer)).get()
        try? await channel.setOption(.writeBufferWaterMark, value: Self.writeBuffer).get()
    }

    /// Writes until the viewer has gone, which a failing write shows, or the server ends.
    private func write(
        to writer: inout any ResponseBodyWriter, _ rights: AccessRights,
        while mayWatch: @escaping @Sendable () -> Bool
    ) async throws {
        viewers.increment()
        defer { viewers.decrement() }
        let happening = feed.listen(bufferingNewest: Self.bufferedEvents)
        let (events, continuation) = AsyncStream.makeStream(
            of: LiveEvent.self, bufferingPolicy: .bufferingNewest(Self.bufferedEvents))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                // A server that ends does not wait for viewers.
                await cancelWhenGracefulShutdown { for await event in happening { continuation.yield(event) } }
                continuation.finish()
            }
            group.addTask {
                while true {
                    continuation.yield(.heartbeat)
                    try await clock.sleep(for: Self.heartbeat)
                }
            }
            defer { group.cancelAll() }
            // Until the shown key or session no longer gives these rights.
            for await event in events {
                guard mayWatch() else { break }
                let buffer =
                    rights.devices == nil || event == .heartbeat ? event.buffer : event.buffer(where: rights.cover)
                if buffer.readableBytes > 0 { try await writer.write(buffer) }
            }
        }
        try await writer.finish(nil)
    }
}

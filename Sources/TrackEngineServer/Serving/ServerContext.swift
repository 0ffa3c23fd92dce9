import Hummingbird
import NIOCore

/// The context of a request, with the address of the machine that it comes from.
struct ServerContext: RemoteAddressRequestContext {
    var coreContext: CoreRequestContextStorage
    /// The connection.
    let channel: any Channel

    var remoteAddress: SocketAddress? { channel.remoteAddress }

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}

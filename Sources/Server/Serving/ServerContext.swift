import Hummingbird
import NIOCore

/// What is known of a request besides what it says: which machine it comes from.
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

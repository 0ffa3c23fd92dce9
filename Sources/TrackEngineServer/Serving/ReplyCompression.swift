import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import TrackEngine
import TrackEngineFiles

/// Compresses replies with gzip for clients that accept it (RFC 9110, section 12.5.3): a path of a day then has a
/// fifth of its size.
///
/// Short replies are not compressed, nor is the stream of events, because each event has to go out at once. Nor are
/// replies while many others are compressed: each of those takes a quarter of a mebibyte for as long as its reader
/// takes.
struct ReplyCompression<Context: RequestContext>: RouterMiddleware {
    /// How many replies are compressed at a time.
    static var mostAtOnce: Int { 32 }

    private let count = CompressionCount()

    /// The shortest reply that is compressed, in bytes.
    static var shortest: Int { 1_000 }

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        guard response.isWorthCompressing(from: Self.shortest) else { return response }
        // Also for an uncompressed reply: a cache has to know that other clients would get another one.
        response.headers[.vary] = "Accept-Encoding"
        guard request.acceptsGzip, let place = count.take(atMost: Self.mostAtOnce) else { return response }
        let body = response.body
        response.headers[.contentEncoding] = "gzip"
        response.headers[.contentLength] = nil
        response.body = ResponseBody { writer in
            guard let compressing = CompressionWriter(writer) else { throw HTTPError(.serviceUnavailable) }
            try await body.write(compressing)
            withExtendedLifetime(place) {}
        }
        return response
    }
}

extension Request {
    /// Whether the client accepts gzip: it is named, and not with a weight of zero.
    fileprivate var acceptsGzip: Bool {
        (headers[.acceptEncoding] ?? "").lowercased().split(separator: ",").contains { part in
            let fields = part.split(separator: ";").map { $0.filter { $0 != " " } }
            return fields.first == "gzip"
                && !fields.dropFirst().contains { $0.hasPrefix("q=0") && Double($0.dropFirst(2)) == 0 }
        }
    }
}

extension Response {
    fileprivate func isWorthCompressing(from shortest: Int) -> Bool {
        guard status == .ok, headers[.contentEncoding] == nil, (body.contentLength ?? shortest) >= shortest else {
            return false
        }
        let type = headers[.contentType] ?? ""
        return type != "text/event-stream" && !type.hasPrefix("image/")
    }
}

/// The number of replies that are compressed now.
private final class CompressionCount: Sendable {
    private let count = SystemMutex(0)

    /// Counts a reply until it is released.
    final class Place: Sendable {
        private let counted: CompressionCount
        fileprivate init(_ counted: CompressionCount) { self.counted = counted }
        deinit { counted.count.withLock { $0 -= 1 } }
    }

    /// A place for another reply; `nil` at the limit.
    func take(atMost most: Int) -> Place? {
        let isTaken = count.withLock { count in
            guard count < most else { return false }
            count += 1
            return true
        }
        return isTaken ? Place(self) : nil
    }
}

/// A writer that compresses its input.
private final class CompressionWriter: ResponseBodyWriter {
    private var writer: any ResponseBodyWriter
    private let deflater: Deflater

    /// `nil` where there is no memory for the compressor.
    init?(_ writer: any ResponseBodyWriter) {
        guard let deflater = Deflater() else { return nil }
        self.writer = writer
        self.deflater = deflater
    }

    func write(_ buffer: ByteBuffer) async throws {
        try await hand(on: deflater.deflate(Array(buffer.readableBytesView)[...], finishing: false))
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
        try await hand(on: deflater.deflate([], finishing: true))
        try await writer.finish(trailingHeaders)
    }

    private func hand(on bytes: [UInt8]?) async throws {
        guard let bytes else { throw HTTPError(.internalServerError) }
        if !bytes.isEmpty { try await writer.write(ByteBuffer(bytes: bytes)) }
    }
}

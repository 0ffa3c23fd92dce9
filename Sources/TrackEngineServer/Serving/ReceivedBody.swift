import Hummingbird
import HummingbirdCore
import NIOCore
import TrackEngine

/// The body of a request while it arrives and is read. Its bytes count together with those of all others, until it is
/// released.
final class ReceivedBody: Sendable {
    private let admission: RequestLimiter
    private let owner: RequestLimiter.Owner
    private let held = SystemMutex(0)

    /// The most bytes of one sender that arrive, so that it has one of the largest bodies at a time.
    private static let mostArriving = ServerConfiguration.largestBody + RequestLimiter.usualBytes
    /// The most bytes of one sender, together with their inflated form.
    private static let most = mostArriving + ServerConfiguration.largestInflatedBody

    init(_ admission: RequestLimiter, of owner: RequestLimiter.Owner) {
        self.admission = admission
        self.owner = owner
    }

    deinit { admission.release(held.withLock { $0 }, of: owner) }

    /// Undoes how a body is packed.
    func decode(_ body: [UInt8], _ encoding: BodyEncoding) throws(BodyProblem) -> [UInt8] {
        try encoding.decode(body) { hold($0, atMost: Self.most) }
    }

    private func hold(_ count: Int, atMost most: Int) -> Bool {
        guard admission.hold(count, of: owner, atMost: most) else { return false }
        held.withLock { $0 += count }
        return true
    }

    /// Reads the whole body, within bounds of size and time.
    func collect(
        _ body: RequestBody, atMost limit: Int = ServerConfiguration.largestBody, within patience: Duration
    ) async throws(BodyProblem) -> [UInt8] {
        let outcome = await Self.first(within: patience) { [self] () async -> Result<[UInt8], BodyProblem> in
            do { return try await .success(collect(body, atMost: limit)) } catch let problem as BodyProblem {
                return .failure(problem)
            } catch {
                return .failure(.broken)
            }
        }
        return try (outcome ?? .failure(.slow)).get()
    }

    private func collect(_ body: RequestBody, atMost limit: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await part in body {
            guard bytes.count + part.readableBytes <= limit else { throw BodyProblem.tooLong }
            guard hold(part.readableBytes, atMost: Self.mostArriving) else { throw BodyProblem.tooMuchAtOnce }
            bytes.append(contentsOf: part.readableBytesView)
        }
        return bytes
    }

    /// Reads a refused body without keeping any of it; returns whether all of it has arrived.
    static func skip(_ body: RequestBody, upTo most: Int, within patience: Duration) async -> Bool {
        await first(within: patience) {
            var count = 0
            do {
                for try await part in body {
                    count += part.readableBytes
                    if count > most { return false }
                }
                return true
            } catch {
                return false  // the connection has ended, and with it the question
            }
        } ?? false
    }

    /// Returns the result of an operation; `nil` when it takes longer.
    private static func first<Result: Sendable>(
        within patience: Duration, _ operation: @escaping @Sendable () async -> Result
    ) async -> Result? {
        await withTaskGroup(of: Result?.self) { group in
            group.addTask { await operation() }
            group.addTask {
                try? await Task.sleep(for: patience)  // cancelled when the operation has ended
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
    }
}

/// The reason why a body is not read.
enum BodyProblem: Error, Sendable, Hashable {
    /// It took too long.
    case slow
    /// It is longer than is allowed.
    case tooLong
    /// It inflates to more than is allowed.
    case inflatesTooFar
    /// It is no gzip, or cut; with the reason.
    case damaged(String)
    /// All bodies together are longer than is allowed.
    case tooMuchAtOnce
    /// The connection ended.
    case broken

    /// The status of the reply.
    var status: Int {
        switch self {
        case .slow, .broken: 408
        case .tooLong, .inflatesTooFar: 413
        case .damaged: 400
        case .tooMuchAtOnce: 503
        }
    }

    /// The expected body.
    var reason: String {
        switch self {
        case .slow, .broken: "expected the body within a minute"
        case .tooLong: "expected a body of at most 10 MiB"
        case .inflatesTooFar: "expected a body of at most 40 MiB when inflated"
        case .damaged(let reason): "expected a body that is gzip: \(reason)"
        case .tooMuchAtOnce: "other long requests come and are read now; try again later"
        }
    }

    /// Whether a rest of the body may still come, so that the connection has to end.
    var closes: Bool {
        switch self {
        case .slow, .tooLong, .tooMuchAtOnce, .broken: true
        case .inflatesTooFar, .damaged: false
        }
    }
}

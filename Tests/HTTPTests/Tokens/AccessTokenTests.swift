import Foundation
import Synchronization
import TestSupport
import Testing
import TrackEngine
import TrackEngineHTTP
import TrackEngineTestKit

@Suite("Tokens that expire", .timeLimit(.minutes(30))) struct AccessTokenTests {
    /// A token server with a receiver, a folder for what is kept, and a clock that the test moves.
    private final class Scene: Sendable {
        let server: TokenServer
        let folder: String
        private let seconds = Mutex(1_763_710_000.0)

        init(_ folder: String) throws {
            server = try TokenServer()
            self.folder = folder
        }

        func pass(_ seconds: Double) { self.seconds.withLock { $0 += seconds } }

        /// A sink as after a start.
        func sink(
            refreshToken: String? = "first", url: String? = nil, _ change: (inout TokenEndpoint) -> Void = { _ in }
        ) throws -> OverlandSink {
            var grant = grant(refreshToken)
            change(&grant)
            let tokens = try AccessTokenCache(grant, file: TokenFile(of: "home", in: folder)) { [self] in
                Timestamp(nanosecondsSince1970: Int64(seconds.withLock { $0 } * 1e9))
            }
            return try OverlandSink(
                configuration: Samples.configuration(url ?? server.url("/in")), tokens: tokens)
        }

        func grant(_ refreshToken: String? = "first") -> TokenEndpoint {
            TokenEndpoint(
                url: server.url("/token"), clientID: "van", clientSecret: Secret("s3cret"),
                refreshToken: refreshToken.map { Secret($0) })
        }

        func kept() throws -> TokenState? {
            let path = folder + "/tokens/home.json"
            guard let data = FileManager.default.contents(atPath: path) else { return nil }
            return TokenState(Array(data))
        }
    }

    private func withScene(_ body: (Scene) async throws -> Void) async throws {
        try await TestEnvironment.withTemporaryDirectory { folder in
            let scene = try Scene(folder)
            try await body(scene)
            scene.server.stop()
        }
    }

    private func deliver(_ sink: OverlandSink) async -> String {
        do throws(DeliveryError) {
            return "settled \(try await sink.deliver(RecordBatch(records: [Samples.full])).settled)"
        } catch { return "\(error.recovery): \(error.reason)" }
    }

    @Test func `a token is asked for once, used until shortly before its end, and renewed then`() async throws {
        try await withScene { scene in
            let sink = try scene.sink()
            #expect(await deliver(sink) == "settled 1")
            scene.pass(3_539)
            #expect(await deliver(sink) == "settled 1")
            scene.pass(1)
            #expect(await deliver(sink) == "settled 1")
            scene.server.state.withLock { state in
                #expect(
                    state.requests.map(\.body) == [
                        "grant_type=refresh_token&refresh_token=first",
                        "grant_type=refresh_token&refresh_token=refresh-1",
                    ])
                #expect(state.arrivals == ["Bearer access-1", "Bearer access-1", "Bearer access-2"])
            }
            await sink.close()
        }
    }

    @Test func `a client without a refresh token asks for itself`() async throws {
        try await withScene { scene in
            let sink = try scene.sink(refreshToken: nil)
            #expect(await deliver(sink) == "settled 1")
            scene.server.state.withLock { state in
                #expect(state.requests.map(\.body) == ["grant_type=client_credentials"])
                #expect(state.requests.first?.authorization == "Basic \(Base64.encoded("van:s3cret".utf8))")
            }
            await sink.close()
        }
    }

    @Test func `a token that the receiver takes no more is replaced at once, and only once`() async throws {
        try await withScene { scene in
            let sink = try scene.sink()
            #expect(await deliver(sink) == "settled 1")
            scene.server.state.withLock { $0.valid = [] }
            #expect(await deliver(sink) == "settled 1")
            scene.server.state.withLock { #expect($0.requests.count == 2 && $0.taken == 2) }
            await sink.close()
            // A receiver that takes none is a pause, as without tokens that expire.
            let receiver = try await ReceiverProcess(log: scene.folder + "/log")
            let other = try scene.sink(url: receiver.url("/bearer:other"))
            #expect(await deliver(other).hasPrefix("needsOperator: HTTP 401"))
            scene.server.state.withLock { #expect($0.requests.count == 3) }
            await other.close()
            receiver.stop()
        }
    }

    @Test func `what the server has changed is kept, so that a restart goes on with it`() async throws {
        try await withScene { scene in
            let first = try scene.sink()
            #expect(await deliver(first) == "settled 1")
            await first.close()
            #expect(try scene.kept()?.refreshToken == "refresh-1")
            let mode = try FileManager.default.attributesOfItem(atPath: scene.folder + "/tokens/home.json")
            #expect(mode[.posixPermissions] as? Int == 0o600)
            let second = try scene.sink()
            #expect(await deliver(second) == "settled 1")
            scene.server.state.withLock { #expect($0.requests.count == 1, "the access token is still good") }
            scene.pass(4_000)
            #expect(await deliver(second) == "settled 1")
            await second.close()
            // Another refresh token in the configuration begins anew.
            scene.server.state.withLock { $0.refreshToken = "given" }
            let third = try scene.sink(refreshToken: "given")
            #expect(await deliver(third) == "settled 1")
            scene.server.state.withLock { #expect($0.requests.last?.body.hasSuffix("=given") == true) }
            await third.close()
        }
    }

    /// The end may come after each step: the server's change, the file, the use.
    @Test(arguments: ["nothing is kept", "it is kept and was not used"])
    func `an end of the process between the steps locks nobody out`(_ end: String) async throws {
        try await withScene { scene in
            if end == "nothing is kept" {
                // The server has not changed anything that we do not know: the exchange is made again.
                scene.server.state.withLock { $0.rotates = false }
            } else {
                var kept = TokenState(of: scene.grant())
                (kept.refreshToken, kept.accessToken, kept.expires) = ("refresh-9", "unused", 1_763_710_999)
                scene.server.state.withLock { ($0.refreshToken, $0.valid) = ("refresh-9", ["unused"]) }
                try FileManager.default.createDirectory(
                    atPath: scene.folder + "/tokens", withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700])
                #expect(
                    FileManager.default.createFile(
                        atPath: scene.folder + "/tokens/home.json", contents: Data(kept.json),
                        attributes: [.posixPermissions: 0o600]))
            }
            let sink = try scene.sink()
            #expect(await deliver(sink) == "settled 1")
            scene.pass(90_000)
            #expect(await deliver(sink) == "settled 1")
            await sink.close()
        }
    }

    @Test func `a chain that has broken begins again where the configuration says`() async throws {
        try await withScene { scene in
            let sink = try scene.sink()
            #expect(await deliver(sink) == "settled 1")
            scene.server.state.withLock { $0.refreshToken = "first" }
            scene.pass(4_000)
            #expect(await deliver(sink) == "settled 1")
            await sink.close()
        }
    }

    @Test(arguments: [(403, "<html>"), (404, "{}"), (302, ""), (503, "{}"), (400, #"{"error":"invalid_request"}"#)])
    func `what is not the server's word of a broken chain has no used token sent again`(
        _ status: Int, _ body: String
    ) async throws {
        try await withScene { scene in
            let sink = try scene.sink()
            #expect(await deliver(sink) == "settled 1")
            scene.pass(4_000)
            scene.server.state.withLock { $0.refusal = (status, body) }
            #expect(await deliver(sink).contains("the token server"))
            scene.server.state.withLock { $0.refusal = nil }
            #expect(await deliver(sink) == "settled 1")
            scene.server.state.withLock { state in
                #expect(
                    state.requests.map { $0.body.split(separator: "=").last } == [
                        "first", "refresh-1", "refresh-1",
                    ])
            }
            await sink.close()
        }
    }

    private static let otherGrants: [(String, @Sendable (inout TokenEndpoint) -> Void)] = [
        ("scope", { $0.scope = "wide" }), ("audience", { $0.audience = "https://api" }),
        ("client", { $0.clientID = "bus" }), ("server", { $0.url += "?tenant=2" }),
    ]

    @Test(arguments: otherGrants.indices) func `tokens belong to the grant that they were given for`(
        _ index: Int
    ) async throws {
        try await withScene { scene in
            let first = try scene.sink()
            #expect(await deliver(first) == "settled 1")
            await first.close()
            scene.server.state.withLock { $0.refreshToken = "first" }
            let second = try scene.sink(Self.otherGrants[index].1)
            #expect(await deliver(second) == "settled 1")
            await second.close()
            scene.server.state.withLock { state in
                #expect(state.requests.count == 2 && state.requests[1].body.contains("refresh_token=first"))
            }
        }
    }

    @Test func `another secret of the client goes on with the tokens that there are`() async throws {
        try await withScene { scene in
            let first = try scene.sink()
            #expect(await deliver(first) == "settled 1")
            await first.close()
            scene.pass(4_000)
            let second = try scene.sink { $0.clientSecret = Secret("another") }
            #expect(await deliver(second) == "settled 1")
            await second.close()
            scene.server.state.withLock { #expect($0.requests.last?.body.hasSuffix("=refresh-1") == true) }
        }
    }

    @Test func `a receiver that refuses a good token once costs one request for another`() async throws {
        try await withScene { scene in
            let sink = try scene.sink(refreshToken: nil)
            #expect(await deliver(sink) == "settled 1")
            scene.server.state.withLock { ($0.valid, $0.repeated) = ([], "access-1") }
            for _ in 0..<5 { #expect(await deliver(sink) == "settled 1") }
            scene.server.state.withLock { #expect($0.requests.count == 2 && $0.taken == 6) }
            await sink.close()
        }
    }

    @Test func `a token that was kept under a clock that was ahead ends all the same`() async throws {
        try await withScene { scene in
            scene.pass(1e9)
            let first = try scene.sink()
            #expect(await deliver(first) == "settled 1")
            await first.close()
            scene.pass(-1e9)
            let second = try scene.sink()
            #expect(await deliver(second) == "settled 1")
            await second.close()
            scene.server.state.withLock { #expect($0.requests.count == 2) }
        }
    }

    @Test func `what a token server repeats of a request is hidden in each form`() async throws {
        try await withScene { scene in
            let pair = Base64.encoded("van:s3cret%2F".utf8)
            scene.server.state.withLock { $0.refusal = (403, "no: s3cret%2F, s3cret/, \(pair), first") }
            let sink = try scene.sink { $0.clientSecret = Secret("s3cret/") }
            let outcome = await deliver(sink)
            #expect(outcome.contains("; reply: ") && !outcome.contains("s3cret") && !outcome.contains(pair))
            #expect(!outcome.contains("first"), "\(outcome)")
            await sink.close()
        }
    }

    @Test func `a token that cannot be kept is not used`() async throws {
        try await withScene { scene in
            // Where the directory has to be there is a file.
            #expect(FileManager.default.createFile(atPath: scene.folder + "/tokens", contents: Data()))
            let sink = try scene.sink()
            #expect(await deliver(sink).hasPrefix("retry(after: nil, evidence: nil): the tokens cannot be kept"))
            scene.server.state.withLock { #expect($0.arrivals.isEmpty) }
            try FileManager.default.removeItem(atPath: scene.folder + "/tokens")
            #expect(await deliver(sink) == "settled 1")
            scene.server.state.withLock { #expect($0.requests.count == 1, "what it has got is not lost") }
            #expect(try scene.kept()?.refreshToken == "refresh-1")
            await sink.close()
        }
    }

    @Test(
        arguments: [
            (400, #"{"error":"invalid_grant"}"#, .needsOperator),
            (401, #"{"error":"invalid_client"}"#, .needsOperator),
            (403, "no", .needsOperator), (404, "{}", .needsOperator), (302, "", .needsOperator),
            (500, "{}", .retry()), (429, "{}", .retry()),
            (200, "<html>", .retry(evidence: .silence)),
            (200, #"{"access_token":"a","token_type":"mac"}"#, .retry(evidence: .silence)),
        ] as [(Int, String, DeliveryError.Recovery)])
    func `a token server that gives none says what to do`(
        _ status: Int, _ body: String, _ recovery: DeliveryError.Recovery
    ) async throws {
        try await withScene { scene in
            scene.server.state.withLock { $0.refusal = (status, body) }
            let sink = try scene.sink()
            let batch = RecordBatch(records: [Samples.full])
            let error = await #expect(throws: DeliveryError.self) { try await sink.deliver(batch) }
            #expect(error?.recovery == recovery)
            expectMessage(error?.reason, as: "the token server answers \(status) \(body)")
            #expect(error.map { $0.reason.contains("first") || $0.reason.contains("s3cret") } == false)
            scene.server.state.withLock { #expect($0.arrivals.isEmpty, "without a token nothing is sent") }
            await sink.close()
        }
    }

    @Test func `however many wait, one asks`() async throws {
        try await withScene { scene in
            let sink = try scene.sink()
            await withTaskGroup(of: String.self) { group in
                for _ in 0..<8 { group.addTask { await deliver(sink) } }
                for await outcome in group { #expect(outcome == "settled 1") }
            }
            scene.server.state.withLock { #expect($0.requests.count == 1 && $0.taken == 8) }
            await sink.close()
        }
    }

    @Test func `on the real clock a token of a second is renewed`() async throws {
        let server = try TokenServer()
        server.state.withLock { $0.lifetime = "1" }
        let grant = TokenEndpoint(url: server.url("/token"), clientID: "van", clientSecret: Secret("s3cret"))
        let sink = try OverlandSink(
            configuration: Samples.configuration(server.url("/in")), tokens: AccessTokenCache(grant))
        try await eventually("a third token") {
            _ = try await sink.deliver(RecordBatch(records: [Samples.full]))
            return server.state.withLock { $0.requests.count } >= 3
        }
        server.state.withLock { #expect($0.taken >= $0.requests.count && !$0.arrivals.contains(nil)) }
        await sink.close()
        server.stop()
    }

    @Test func `a grant that cannot work is refused`() {
        func keys(_ grant: TokenEndpoint) -> [String] {
            do throws(ConfigurationError) {
                _ = try AccessTokenCache(grant)
                return []
            } catch { return error.problems.map(\.key) }
        }
        #expect(
            keys(TokenEndpoint(url: "http://login.example.org", clientID: "a", clientSecret: Secret("b"))) == [
                "auth.refreshUrl"
            ])
        #expect(
            keys(TokenEndpoint(url: "x", clientID: "", clientSecret: nil)) == [
                "auth.clientID", "auth", "auth.refreshUrl",
            ])
        #expect(keys(TokenEndpoint(url: "https://login.example.org", clientID: "a", refreshToken: Secret("r"))) == [])
    }
}

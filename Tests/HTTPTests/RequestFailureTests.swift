import Testing
import TrackEngine
import TrackEngineHTTP
import TrackEngineSettings

/// Exchanges without a reply: what the tracker does with the records, and what people read.
@Suite struct RequestFailureTests {
    private struct StrangeParserError: Error {}
    private struct HPACKDecoderFailure: Error {}
    private struct StrangeError: Error, CustomStringConvertible {
        var description: String { "canary" }
    }

    private static let table: [(failure: RequestFailure, recovery: DeliveryError.Recovery)] = [
        (.deadline(.seconds(10)), .retry(evidence: .timeout)), (.cancelled, .retry()), (.unknownHost, .retry()),
        (.noConnection, .retry()), (.tls("the certificate is not to be trusted"), .retry()),
        (.clientCertificate, .needsOperator), (.closed, .retry(evidence: .silence)),
        (.malformedReply, .retry(evidence: .silence)), (.impossibleReply("status 42"), .retry(evidence: .silence)),
        (.other("StrangeError"), .retry()),
    ]

    /// A record can be the reason only where the server was reached; without a connection each record is innocent.
    @Test(arguments: table.indices)
    func `a record may be the reason only where the receiver was reached`(_ index: Int) throws {
        let row = Self.table[index]
        let endpoint = try Endpoint("https://example.org:8443/submit/canary?token=canary")
        let error = row.failure.deliveryError(to: endpoint.origin)
        #expect(error.recovery == row.recovery)
        #expect(error.reason.contains("https://example.org:8443") && !error.reason.contains("canary"))
    }

    @Test func `the time limit and the words of the failure are told`() throws {
        let origin = try Endpoint("https://example.org").origin
        #expect(RequestFailure.deadline(.milliseconds(2500)).deliveryError(to: origin).reason.hasSuffix("2.5 s"))
        #expect(RequestFailure.tls("canary").deliveryError(to: origin).reason.hasSuffix("canary"))
        #expect(RequestFailure.impossibleReply("canary").deliveryError(to: origin).reason.hasSuffix("canary"))
    }

    @Test func `an error of a library is known by its kind, never by its text`() {
        #expect(RequestFailure(CancellationError()) == .cancelled)
        #expect(RequestFailure(RequestFailure.closed) == .closed)
        #expect(RequestFailure(StrangeParserError()) == .malformedReply)
        #expect(RequestFailure(HPACKDecoderFailure()) == .malformedReply)
        #expect(RequestFailure(StrangeError()) == .other("StrangeError"))
    }
}

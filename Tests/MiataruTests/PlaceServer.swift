import Foundation
import Synchronization
import TestSupport
import TrackEngine

/// A Miataru server that is asked where devices are, and replies what a test wants.
final class PlaceServer: Sendable {
    /// A reply to a question.
    struct Reply: Sendable {
        var status = 200
        var body: String

        /// Where devices are, one entry for each.
        static func places(_ ids: [String]) -> Reply {
            let places = ids.map { #"{"Device":"\#($0)","Timestamp":"1763710000","Longitude":10,"Latitude":50}"# }
            return Reply(body: #"{"MiataruLocation":[\#(places.joined(separator: ","))]}"#)
        }
    }

    /// The address of the server.
    var url: String { "http://127.0.0.1:\(port.number)" }
    /// The ids of each question, in order.
    var questions: [[String]] { asked.withLock { $0 } }

    private let port: ReservedPort
    private let asked = Mutex([[String]]())
    private let reply: @Sendable ([String]) -> Reply
    private let listener: Mutex<LoopbackListener?> = Mutex(nil)

    /// - Parameter reply: what is replied to a question for some ids.
    init(_ reply: @escaping @Sendable ([String]) -> Reply) throws {
        self.reply = reply
        port = try ReservedPort()
        let made = try LoopbackListener(at: .ipv4(port.number)) { [self] in serve($0) }
        listener.withLock { $0 = made }
    }

    /// Takes nobody any more.
    func stop() { listener.withLock { $0?.stop() } }

    private func serve(_ connection: Int32) {
        guard let request = HTTPText.request(on: connection) else { return }
        let entries = JSONValue(ifReadable: request.body)?["MiataruGetLocation"]?.array ?? []
        let ids = entries.compactMap { $0["Device"]?.string }
        asked.withLock { $0.append(ids) }
        let reply = reply(ids)
        HTTPText.reply(reply.status, reply.body, on: connection)
    }
}

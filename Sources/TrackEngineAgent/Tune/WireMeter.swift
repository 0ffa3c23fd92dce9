package import TrackEngine
internal import TrackEngineHTTP
internal import TrackEngineMQTT
package import TrackEngineTune

/// Encodes records as the sinks do and counts the bytes.
///
/// Bodies and messages are the real ones, from the sinks' own encoders with their default settings. Around them:
/// - HTTP/1.1: request line and header fields as for `https://example.org/api/overland` with a token of 32 characters,
///   and an answer of ``WireByteCount/answerLength`` bytes, which differs from server to server.
/// - MQTT 5, quality of service 1: the PUBLISH with its properties, and the PUBACK.
///
/// Connecting, TLS, TCP and IP are left out: on a lasting link they add about 60 to 100 bytes per request or message.
package struct WireMeter: TransferMeter {
    private let device: DeviceID
    private let batchSize: Int
    private let overland: BodyEncoder
    private let requestHead: Int
    private let single: any MessageFormat
    private let many: any MessageFormat
    private var waiting: [TrackRecord] = []
    private var sequence: Int64 = 0
    private var bytes = WireByteCount()

    /// A meter at zero.
    ///
    /// - Parameters:
    ///   - device: the tracked object's name, which every record carries.
    ///   - batchSize: the number of records of a request or a batch, 1 or more.
    /// - Throws: if a part of the name is not valid in a topic.
    package init(device: DeviceID, batchSize: Int) throws(ConfigurationError) {
        self.device = device
        self.batchSize = max(1, batchSize)
        var sink = OverlandSink.Configuration(url: "https://example.org/api/overland", deviceID: device)
        sink.token = Secret(String(repeating: "x", count: 32))
        overland = BodyEncoder(sink)
        requestHead = Self.headLength(sink)
        single = try MessageOptions(format: .trackengine, deviceID: device).makeFormat()
        many = try MessageOptions(format: .batch, deviceID: device).makeFormat()
    }

    /// Counts the record of a fix.
    package mutating func add(_ fix: Fix, _ plan: RecordPlan) {
        sequence += 1
        let draft = plan.draft(of: fix, device: device, source: "gps")
        waiting.append(TrackRecord(sequence: RecordSequence(rawValue: sequence), draft: draft))
        if waiting.count == batchSize { send() }
    }

    /// The bytes of all records.
    package consuming func finish() -> WireByteCount {
        send()
        return bytes
    }

    private mutating func send() {
        guard !waiting.isEmpty else { return }
        let body = overland.body(waiting, current: nil).count
        bytes.overland += requestHead + String(body).utf8.count + body + WireByteCount.answerLength
        bytes.mqtt += Self.length(of: single.messages(for: waiting, isBacklog: false))
        bytes.batch += Self.length(of: many.messages(for: waiting, isBacklog: false))
        waiting.removeAll(keepingCapacity: true)
    }

    private static func length(of messages: [RecordMessage]) -> Int {
        messages.reduce(0) { length, message in
            length + message.message.packetSize(version: .v5, qualityOfService: 1) + MQTTMessage.acknowledgementSize
        }
    }

    /// Request line and fields, without the digits of the length.
    private static func headLength(_ sink: OverlandSink.Configuration) -> Int {
        let line = "POST /api/overland HTTP/1.1\r\nHost: example.org\r\nContent-Length: \r\n\r\n"
        return RequestHeaderList.fields(of: sink).reduce(line.utf8.count) {
            $0 + $1.name.utf8.count + $1.value.utf8.count + 4
        }
    }
}

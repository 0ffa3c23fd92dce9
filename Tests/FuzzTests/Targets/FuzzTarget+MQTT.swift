import TrackEngineMQTT
import TrackEngineSettings

extension FuzzTarget {
    /// A message on the command topic of a broker.
    static let mqttCommand = FuzzTarget(name: "mqtt-command") { bytes in
        let message = ReceivedMessage(topic: "van-7/cmd", payload: bytes)
        _ = try? RemoteRequest(message, allowed: Set(MQTTCommand.allCases))  // a rejection is as good as a request
    }

    /// A connection to a broker, as our screen sees it: the first byte chooses the version of the protocol and how the
    /// rest is cut. However it is cut, the verdict is the same, and no more is held than one packet.
    static let mqttPackets = FuzzTarget(name: "mqtt-packets") { bytes in
        guard let first = bytes.first else { return }
        let version: MQTTSink.Configuration.ProtocolVersion = first & 1 == 0 ? .v5 : .v311
        let packets = Array(bytes.dropFirst())
        let whole = ScreenVerdict(of: [packets], version)
        for length in [1, 2 + Int(first >> 1)] {
            let cut = ScreenVerdict(of: Chunks.of(packets, length: length), version)
            precondition(cut == whole, "in pieces of \(length) bytes: \(cut), at once: \(whole)")
        }
    }
}

/// What the screen says to a connection.
private enum ScreenVerdict: Hashable {
    /// Everything may be passed on; so many bytes of a packet wait for the rest of it.
    case accepted(held: Int)
    case refused(PacketScreen.Problem)

    init(of pieces: [[UInt8]], _ version: MQTTSink.Configuration.ProtocolVersion) {
        var screen = PacketScreen(version: version)
        do throws(PacketScreen.Problem) {
            for piece in pieces {
                try screen.examine(piece)
                precondition(screen.held < PacketScreen.maximumMessage, "more is held than a packet")
            }
            self = .accepted(held: screen.held)
        } catch {
            self = .refused(error)
        }
    }
}

import OwnTracksFormat
import TrackEngine
import TrackEngineAgent
import TrackEngineSettings

extension FuzzTarget {
    /// A receiver's reply in OwnTracks' HTTP mode, in the clear and with a secret, and the commands in it.
    static let ownTracksReply = FuzzTarget(name: "owntracks-reply") { bytes in
        let secret = try? OwnTracksSecret(Secret("s3cr3t"))  // fails only without a source of random numbers
        for secret in [nil, secret] {
            let reply = ReceivedReply(bytes, secret: secret)
            precondition(reply.commands.count <= ReceivedReply.maximumCommands, "more commands than the bound")
            // A rejection is as good as a request.
            for command in reply.commands {
                _ = try? RemoteRequest(ownTracks: command, allowed: Set(RemoteCommand.allCases))
            }
            for command in reply.commands {
                let request = try? RemoteRequest(ownTracks: command, allowed: [.setConfiguration])
                guard case .setConfiguration(let values)? = request else { continue }
                precondition(values.count <= RemoteValue.maximumCount, "more values than the bound")
                let kept = RemoteValues().changed(
                    by: values, now: .init(secondsSince1970: 1), end: .init(secondsSince1970: 301))
                _ = kept.layer(.none)
                precondition(RemoteValues(kept.bytes).map { $0 == kept } ?? true, "other values than were kept")
            }
            var names = FriendNameTable()
            for device in names.devices(of: reply.friends, except: "jane/van", source: "home", now: .now()) {
                precondition(device.fix?.coordinate.isValid == true, "a place that is none")
                precondition(device.device.rawValue.count <= FriendNameTable.longestName + 1, "a name without a bound")
            }
        }
        _ = CommandReplyMessage(
            .report, result: bytes, location: LocationMessage(trackerID: "n7", assumedAccuracy: 100),
            quotedTopic: Array(#""owntracks/jane/van""#.utf8))
    }
}

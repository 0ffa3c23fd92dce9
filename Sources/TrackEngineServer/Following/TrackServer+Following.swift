import Logging
import TrackEngine
import TrackEngineHistory
package import TrackEngineSettings

extension TrackServer {
    /// The page's information about followed devices.
    var followedView: FollowedPage {
        let here = ownDevice.flatMap { receiver.newest.all[$0]?.fix }
        return FollowedPage((followed?() ?? []).filter { $0.device != ownDevice }, here: here)
    }

    /// Keeps the position of a followed device, and shows it to observers. A device with the name of the agent's own
    /// device or of a sender is ignored: no other source may write to their tracks.
    package func take(_ report: FollowedDevice) async {
        let device = report.device
        guard device != ownDevice, !access.readers.senders.contains(where: { $0.name == device }) else {
            logger.notice("a followed device has the name of another one", metadata: ["device": "\(device)"])
            return
        }
        if let fix = report.fix {
            let point = HistoryPoint(fix: fix, host: report.host, source: report.source)
            do throws(StoreError) { _ = try await receiver.history.add([point], of: device) } catch {
                logger.warning("a followed device's place is not kept", metadata: ["error": "\(error)"])
            }
            _ = receiver.newest.take(point, of: device)
        }
        guard let point = receiver.newest.all[device] else { return }
        let view = FollowedPage([report], here: ownDevice.flatMap { receiver.newest.all[$0]?.fix })
        var event = LiveEvent("point", device) { writer in
            writer.members(of: point)
            view.write(device, at: point.fix, to: &writer)
        }
        event.device = nil  // the distance reveals the agent's own position: only for viewers that may see all
        feed.send(event)
    }
}

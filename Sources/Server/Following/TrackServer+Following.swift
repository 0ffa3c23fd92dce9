import Logging
import TrackEngine
import TrackEngineHistory
package import TrackEngineSettings

extension TrackServer {
    /// What the page says of followed devices now.
    var followedView: FollowedView {
        let here = ownDevice.flatMap { receiver.newest.all[$0]?.fix }
        return FollowedView((followed?() ?? []).filter { $0.device != ownDevice }, here: here)
    }

    /// Keeps where a followed device is, and shows it to those who watch. Its name never is that of the agent's own device or
    /// of a sender, whose tracks nobody else writes to.
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
        let view = FollowedView([report], here: ownDevice.flatMap { receiver.newest.all[$0]?.fix })
        var event = LiveEvent("point", device) { writer in
            writer.members(of: point)
            view.write(device, at: point.fix, to: &writer)
        }
        event.device = nil  // the distance tells where the agent's own device is, so it is for those who may see all
        feed.send(event)
    }
}

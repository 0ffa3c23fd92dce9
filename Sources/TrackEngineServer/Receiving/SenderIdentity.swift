import TrackEngine
import TrackEngineHistory

extension AccessList {
    /// The most devices of one request of a gateway.
    static let devicesAtOnce = 100

    /// The points of a request by the devices under which they are kept, how many are left out because of their names,
    /// and how many because the request has more devices than one may have.
    ///
    /// The points are the sender's own, regardless of the device that the request names, so that no sender writes
    /// into another's track. A gateway names the devices that it sends for; it cannot take the name of another
    /// sender, nor that of the agent itself.
    ///
    /// - Parameters:
    ///   - points: the points of the request.
    ///   - sender: the sender of the request.
    ///   - agent: the device of the agent that the server belongs to.
    ///   - known: the devices of earlier portions of the request.
    func devices(
        of points: [ReceivedPoint], from sender: Sender, besides agent: DeviceID?,
        already known: some Collection<DeviceID> = [DeviceID]()
    ) -> (points: [DeviceID: [HistoryPoint]], unusable: Int, surplus: Int) {
        var names = Set(known)
        var devices: [DeviceID: [HistoryPoint]] = [:]
        var (unusable, surplus) = (0, 0)
        let others = sender.isGateway ? Set(senders.map(\.name)) : []
        for point in points {
            let device = device(of: point, from: sender, besides: agent, others)
            guard let device else {
                unusable += 1
                continue
            }
            guard names.contains(device) || names.count < Self.devicesAtOnce else {
                surplus += 1
                continue
            }
            names.insert(device)
            devices[device, default: []].append(point.point)
        }
        return (devices, unusable, surplus)
    }

    /// The device of a point; `nil` for a name that cannot be one.
    private func device(
        of point: ReceivedPoint, from sender: Sender, besides agent: DeviceID?, _ others: Set<DeviceID>
    ) -> DeviceID? {
        guard sender.isGateway, let name = point.device else { return sender.name }
        let device = DeviceID(rawValue: name)
        guard Self.isName(device), device != agent, !others.contains(device) else { return nil }
        return device
    }

    /// Returns whether a text can be a device's name: one line of 1 to 64 bytes with visible characters.
    static func isName(_ device: DeviceID) -> Bool {
        let name = device.rawValue
        return (1...64).contains(name.utf8.count) && name == ReceiverText.oneLine(name, atMost: 64)
    }
}

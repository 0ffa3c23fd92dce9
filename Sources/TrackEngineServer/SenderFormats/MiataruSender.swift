import TrackEngine

/// Miataru apps: `UpdateLocation`, with points that may be of several devices.
package struct MiataruSender: SenderFormat {
    package let name = "miataru"

    /// The format.
    package init() {}

    package func read(_ request: SenderRequest) throws(UnreadableRequest) -> RequestContent {
        var reception = RequestContent()
        _ = try request.readElements(in: ["MiataruLocation"]) { location in
            reception.take(location.flatMap(point))
        }
        return try reception.ofOwnFormat()
    }

    private func point(_ location: JSONValue) -> Result<ReceivedPoint, PointProblem> {
        guard location["Device"] != nil else {
            return .failure(
                PointProblem(.foreign, "expected 'MiataruLocation' with locations, each with a 'Device'"))
        }
        return PointMembers(miataru: location).point(from: self)
    }

    package func acceptance(of reception: RequestContent) -> SenderReply {
        .json(
            .object([
                .init("MiataruResponse", .string("ACK")),
                .init("MiataruVerboseResponse", .string("\(reception.pointCount) kept")),
            ]))
    }
}

extension PointMembers {
    /// Reads a location of Miataru. The battery is in per cent; -1 means unknown, of an altitude, too.
    init(miataru location: JSONValue) {
        for member in location.members ?? [] {
            let value = member.value
            switch member.name {
            case "Device": device = value.senderText
            case "Timestamp": time = value.senderTime
            case "Latitude": latitude = number(member.name, value)
            case "Longitude": longitude = number(member.name, value)
            case "HorizontalAccuracy": horizontalAccuracy = number(member.name, value)
            case "Speed": speed = number(member.name, value)
            case "Altitude": altitude = number(member.name, value).flatMap { $0 == -1 ? nil : $0 }
            case "BatteryLevel": batteryLevel = number(member.name, value).map { $0 / 100 }
            default: break
            }
        }
    }
}

package import TrackEngine
package import TrackEngineSettings

/// Encodes the requests of the OsmAnd protocol: the same record always gives the same request.
package struct OsmAndEncoder: Sendable {
    /// A request by `POST`.
    package struct Request: Sendable, Hashable {
        package let endpoint: Endpoint
        package let body: [UInt8]
    }

    private enum Format: Sendable {
        case query(OsmAndQuery)
        case json(OsmAndLocation)
    }

    private let endpoint: Endpoint
    private let format: Format

    package init(_ configuration: OsmAndSink.Configuration, endpoint: Endpoint) {
        self.endpoint = endpoint
        format =
            switch configuration.format {
            case .query: .query(OsmAndQuery(of: configuration.deviceID))
            case .json: .json(OsmAndLocation(of: configuration.deviceID))
            }
    }

    var style: RequestHeaderList.Style {
        switch format {
        case .query: RequestHeaderList.Style(contentType: nil)
        case .json: RequestHeaderList.Style(contentType: "application/json")
        }
    }

    /// The request for a record that can be sent.
    package func request(for record: TrackRecord) -> Request {
        switch format {
        case .query(let query): Request(endpoint: endpoint.appending(query: query.text(of: record)), body: [])
        case .json(let location): Request(endpoint: endpoint, body: location.body(of: record))
        }
    }
}

extension Fix {
    /// The course for a text with one decimal: a value that would be rounded to 360.0 is 0.
    var courseInTenths: Double? { course.map { $0 < 359.95 ? $0 : 0 } }
}

extension Transition.Event {
    /// A name in the style of Traccar's own events. The server raises an alarm only for the attribute `alarm`, which
    /// is not set.
    var traccarName: String {
        switch self {
        case .enter: "geofenceEnter"
        case .leave: "geofenceExit"
        case .dwell: "geofenceDwell"
        }
    }
}

extension HostStatus.BatteryState {
    /// Traccar's `charge`: whether the device has external power; `nil` for unknown.
    var hasPower: Bool? {
        switch self {
        case .unknown: nil
        case .unplugged: false
        case .charging, .full: true
        }
    }
}

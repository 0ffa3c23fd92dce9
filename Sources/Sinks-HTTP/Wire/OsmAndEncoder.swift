import HTTPDelivery
package import TrackEngine
package import TrackEngineSettings

/// Makes the requests of the OsmAnd protocol: the same record always gives the same request.
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

    /// What requests say about themselves.
    var style: RequestHeaders.Style {
        switch format {
        case .query: RequestHeaders.Style(contentType: nil)
        case .json: RequestHeaders.Style(contentType: "application/json")
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
    /// The course for a text of one decimal: what would be rounded to 360.0 is 0.
    var courseInTenths: Double? { course.map { $0 < 359.95 ? $0 : 0 } }
}

extension Transition.Event {
    /// The word in the manner of Traccar's own events. Its server makes an alarm of `alarm` alone, which this is not.
    var traccarName: String {
        switch self {
        case .enter: "geofenceEnter"
        case .leave: "geofenceExit"
        case .dwell: "geofenceDwell"
        }
    }
}

extension HostStatus.BatteryState {
    /// Traccar's `charge`, whether there is power from outside; `nil` for unknown.
    var hasPower: Bool? {
        switch self {
        case .unknown: nil
        case .unplugged: false
        case .charging, .full: true
        }
    }
}

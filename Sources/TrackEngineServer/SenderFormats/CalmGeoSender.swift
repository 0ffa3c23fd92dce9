import TrackEngine

/// CalmGeo: an array of records, each with `coords`.
package struct CalmGeoSender: SenderFormat {
    package let name = "calmgeo"

    /// The format.
    package init() {}

    package func read(_ request: SenderRequest) throws(UnreadableRequest) -> RequestContent {
        var reception = RequestContent()
        _ = try request.readElements { record in
            reception.take(record.flatMap(point))
        }
        return try reception.ofOwnFormat()
    }

    private func point(_ record: JSONValue) -> Result<ReceivedPoint, PointProblem> {
        guard record["coords"]?.members != nil else {
            return .failure(PointProblem(.foreign, "expected records with 'coords'"))
        }
        return PointMembers(geolocation: record).point(from: self)
    }

    package func acceptance(of reception: RequestContent) -> SenderReply {
        .json(.object([.init("result", .string("ok"))]))
    }
}

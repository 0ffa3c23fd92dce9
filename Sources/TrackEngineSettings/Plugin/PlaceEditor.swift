/// Manages the named places of the tracked object, and the corrections of its visits and trips.
///
/// A change is on the disk and in effect when the call returns. The arguments hold positions and names, which must not
/// be logged.
public protocol PlaceEditor: Sendable {
    /// All places as a GeoJSON `FeatureCollection` (RFC 7946), as `trackd places --json` prints it.
    ///
    /// A circle is a `Point` with the property `radius`, a corridor a `LineString` with `width`, both in metres.
    /// Properties: `name`; `dwell` (seconds), `hysteresis` (metres), `tags` and `created` if they are known; `kept`,
    /// true for a place that can be changed here and false for one of the configuration. The id is the feature's.
    func places() async throws -> [UInt8]

    /// Adds places, or changes the name, area or dwell time of places that were added before. The known inside or
    /// outside state of a place is kept.
    ///
    /// - Parameter geoJSON: a feature, or a `FeatureCollection`, of at most 1 MiB. Either all of it is saved, or none.
    /// - Throws: ``PlaceRejection`` with the expectation.
    func keepPlaces(_ geoJSON: [UInt8]) async throws

    /// Removes places that were added.
    ///
    /// - Parameter ids: the ids of the places; empty for all places that were added.
    /// - Throws: ``PlaceRejection`` for an id that is not of an added place; then no place is removed.
    func removePlaces(_ ids: [String]) async throws

    /// The corrections as JSON: `{"corrections": [{"kind": "visit", "id": UUID, "change": {…}}, …]}`, in the order in
    /// which they were made.
    func corrections() async throws -> [UInt8]

    /// Corrects a visit or a trip permanently: if it is detected again later, it is shown as corrected.
    ///
    /// - Parameter json: `{"kind": "visit" or "trip", "id": UUID, "from": RFC 3339, "to": RFC 3339 or absent,
    ///   "change": {…}}` with the id and the span of the event as shown. The change is one of `{"rename": "name"}` (a
    ///   visit), `{"mode": "bicycle"}` (a trip), `{"reject": true}`, `{"merge": RFC 3339}` (with all later events of
    ///   the kind up to the one that begins at that time), `{"split": RFC 3339}` (for a trip also `latitude`,
    ///   `longitude` and the `distance` from its start, as far as they are known), and `{"undo": true}`, which removes
    ///   all corrections of the event.
    /// - Throws: ``PlaceRejection`` with the expectation.
    func correct(_ json: [UInt8]) async throws
}

/// The reason why a place or a correction was rejected.
public struct PlaceRejection: Error, Sendable, Hashable, CustomStringConvertible {
    /// The expectation that was not met. It contains no position.
    public let description: String

    /// Creates a refusal from the expectation.
    public init(_ description: String) { self.description = description }
}

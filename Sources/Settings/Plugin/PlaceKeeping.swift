/// Looks after the named places of the tracked object, and after what people have corrected of its visits and trips.
///
/// A change is on the disk and holds when the call returns. Positions and names are in what is handed over: it is no business of
/// logs.
public protocol PlaceKeeping: Sendable {
    /// All places as a GeoJSON `FeatureCollection` (RFC 7946), as `trackd places --json` prints it.
    ///
    /// A circle is a `Point` with the property `radius`, a corridor a `LineString` with `width`, both in metres. Properties: `name`;
    /// `dwell` (seconds), `hysteresis` (metres), `tags` and `created` where they are known; `kept`, true for a place that can be
    /// changed here and false for one of the configuration. The id is the feature's.
    func places() async throws -> [UInt8]

    /// Adds places, or gives places that were added before another name, area or dwell time; what is known of who is inside stays.
    ///
    /// - Parameter geoJSON: a feature, or a `FeatureCollection`, of at most 1 MiB. All of it is kept, or nothing.
    /// - Throws: ``PlaceRefusal``, saying what was expected.
    func keepPlaces(_ geoJSON: [UInt8]) async throws

    /// Removes places that were added.
    ///
    /// - Parameter ids: their ids; all that were added if there are none.
    /// - Throws: ``PlaceRefusal`` for an id of which no place was added; then none is removed.
    func removePlaces(_ ids: [String]) async throws

    /// What was corrected, as JSON: `{"corrections": [{"kind": "visit", "id": UUID, "change": {…}}, …]}`, in the order in which it
    /// was said.
    func corrections() async throws -> [UInt8]

    /// Corrects a visit or a trip for good: whatever is found again later is shown as corrected.
    ///
    /// - Parameter json: `{"kind": "visit" or "trip", "id": UUID, "from": RFC 3339, "to": RFC 3339 or absent, "change": {…}}` with the
    ///   id and the span of the event as shown. The change is one of `{"rename": "name"}` (a visit), `{"mode": "bicycle"}` (a trip),
    ///   `{"reject": true}`, `{"merge": RFC 3339}` (with all later ones of the kind up to that which begins then), `{"split": RFC 3339}`
    ///   (of a trip also `latitude`, `longitude` and the `distance` from its start, as far as they are known), and `{"undo": true}`,
    ///   which takes back all that was corrected of the event.
    /// - Throws: ``PlaceRefusal``, saying what was expected.
    func correct(_ json: [UInt8]) async throws
}

/// Why a place or a correction was not taken.
public struct PlaceRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was expected. It holds no position.
    public let description: String

    /// Says what was expected.
    public init(_ description: String) { self.description = description }
}

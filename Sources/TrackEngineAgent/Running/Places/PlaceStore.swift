import Logging
import TrackEngine
import TrackEnginePlaces
import TrackEngineSettings

/// Manages the places of a running agent: those of its configuration, and the added ones. A change is saved on the
/// disk first; then the detection of events in the track uses it.
actor PlaceStore {
    private let file: SavedPlaceFile
    private let book: CorrectionFile
    private let device: DeviceID
    private let tracker: Tracker
    private let privacyZones: CurrentPrivacyZones
    private let now: @Sendable () -> Timestamp
    private var settings: EventSettings
    private var kept: SavedPlaces
    /// Serializes changes: each waits for the disk and for the tracker.
    private var turns = TurnQueue<CheckedContinuation<Void, Never>>()

    /// - Parameters:
    ///   - settings: the settings that the tracker's detector was made from, together with the places in `kept`.
    ///   - kept: the content of the file.
    init(
        _ file: SavedPlaceFile, _ book: CorrectionFile, _ settings: EventSettings, _ kept: SavedPlaces,
        of device: DeviceID, in tracker: Tracker, _ privacyZones: CurrentPrivacyZones,
        now: @escaping @Sendable () -> Timestamp = Timestamp.now
    ) {
        (self.file, self.book, self.settings, self.kept) = (file, book, settings, kept)
        (self.device, self.tracker, self.privacyZones, self.now) = (device, tracker, privacyZones, now)
    }

    /// Reads the added places. An unreadable file does not keep the agent from starting.
    static func restore(_ file: SavedPlaceFile, _ logger: Logger) async -> SavedPlaces {
        do { return try await SystemThread.run { try file.read() } } catch {
            logger.error(
                "added places cannot be read and cause no events", metadata: ["reason": "\(error)"])
            return SavedPlaces()
        }
    }

    private func taking<Result>(_ body: () async throws -> Result) async throws -> Result {
        if !turns.take() { await withCheckedContinuation { turns.wait($0) } }
        defer { turns.leave()?.resume() }
        return try await body()
    }
}

// MARK: - The configuration

extension PlaceStore {
    /// Applies settings that were read again. The state of places, visits and trips is preserved unless other
    /// positions are hidden.
    ///
    /// - Parameter others: applies the rest of the configuration, once the settings have proved valid.
    func apply(_ new: EventSettings, after others: () async throws -> Void) async throws {
        try await taking {
            // The content of a place file may have changed although its name has not.
            let hasChanged = new != settings || !new.placeFiles.isEmpty
            let detector = hasChanged ? try await makeDetector(new, kept) : nil
            let zones = try new.privacyZones
            guard hasChanged else { return try await others() }
            let hidden = privacyZones.signature
            privacyZones.set(zones)  // first: an event must not reveal more than the zones permit
            await tracker.replaceDetector(detector)
            // Before another recording rule decides about fixes that must be hidden.
            if privacyZones.signature != hidden { await tracker.coverChanged() }
            settings = new
            try await others()
        }
    }

    private func makeDetector(_ settings: EventSettings, _ kept: SavedPlaces) async throws -> TrackEventDetector? {
        try await SystemThread.run { [device] in try settings.makeDetector(of: device, kept: kept) }
    }
}

// MARK: - Added places

extension PlaceStore: PlaceEditor {
    func places() async throws -> [UInt8] {
        let (settings, kept) = (settings, kept)
        return try await SystemThread.run { try kept.geoJSON(beside: settings) }
    }

    func keepPlaces(_ geoJSON: [UInt8]) async throws {
        let time = now()
        try await change { kept, ids throws(PlaceRejection) in try kept.keep(geoJSON, beside: ids, now: time) }
    }

    func removePlaces(_ ids: [String]) async throws {
        try await change { kept, _ throws(PlaceRejection) in try kept.remove(ids) }
    }

    /// Adds a place at its centre, or at the object's position if it has none; returns whether a place with its id
    /// existed.
    func add(_ draft: PlaceAddition) async throws -> Bool {
        var known = draft.centre
        if known == nil { known = try await tracker.currentFix()?.coordinate }
        guard let centre = known else { throw PlaceRejection("no fix yet: expected one, or --at") }
        let place = try draft.place(at: centre)
        let time = now()
        return try await change { kept, ids throws(PlaceRejection) in
            let wasThere = kept.places.contains { $0.id == place.id }
            try kept.keep([place], beside: ids, now: time)
            return wasThere
        }
    }

    /// Changes the added places.
    ///
    /// - Parameter body: also receives the ids of the configuration's places.
    @discardableResult
    private func change<Result: Sendable>(
        _ body: @escaping @Sendable (inout SavedPlaces, Set<String>) throws(PlaceRejection) -> Result
    ) async throws -> Result {
        try await taking {
            let (kept, (result, detector)) = try await SystemThread.run { [file, settings, device] in
                let filed = try settings.filedPlaces()
                return try file.change { kept throws(PlaceRejection) in
                    let result = try body(&kept, settings.configuredIDs(filed: filed))
                    // Places that no detector can be made from are not saved.
                    do throws(ConfigurationError) {
                        return (result, try settings.detector(of: device, filed: filed, kept: kept))
                    } catch {
                        throw PlaceRejection(error.description)
                    }
                }
            }
            self.kept = kept
            await tracker.replaceDetector(detector)
            return result
        }
    }
}

// MARK: - Corrections

extension PlaceStore {
    func corrections() async throws -> [UInt8] {
        try await SystemThread.run { [book] in try book.read().json }
    }

    func correct(_ json: [UInt8]) async throws {
        let order: Correction.Order
        do throws(CorrectionProblem) { order = try Correction.Order(json) } catch { throw PlaceRejection("\(error)") }
        try await taking { try await SystemThread.run { [book] in try book.take(order) } }
    }
}

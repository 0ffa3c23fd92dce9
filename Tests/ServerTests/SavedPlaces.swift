import TestSupport
import TrackEngine
import TrackEnginePlaces
import TrackEngineSettings

/// Looks after places in memory and writes down what it was told.
final class KeptPlaces: PlaceEditor {
    private struct State: Sendable {
        var features: [JSONValue]
        var book = CorrectionLog()
        var told: [String] = []
    }

    private let state: SystemMutex<State>

    /// - Parameter features: GeoJSON features, each with an `id`.
    init(_ features: String...) {
        state = SystemMutex(State(features: features.compactMap { JSONValue(ifReadable: Array($0.utf8)) }))
    }

    /// What it was told, in order.
    var told: [String] { state.withLock { $0.told } }

    /// A circle.
    static func circle(_ id: String, _ name: String, isKept: Bool = true, radius: Double = 100) -> String {
        #"{"type":"Feature","id":"\#(id)","geometry":{"type":"Point","coordinates":[9.98,53.55]},"#
            + #""properties":{"name":"\#(name)","radius":\#(radius),"kept":\#(isKept)}}"#
    }

    func places() async throws -> [UInt8] {
        Self.bytes(
            .object([
                .init("type", .string("FeatureCollection")), .init("features", .array(state.withLock { $0.features })),
            ]))
    }

    func keepPlaces(_ geoJSON: [UInt8]) async throws {
        guard let feature = JSONValue(ifReadable: geoJSON), let id = feature["id"], feature["geometry"] != nil else {
            throw PlaceRejection("no feature")
        }
        state.withLock { state in
            state.features.removeAll { $0["id"] == id }
            state.features.append(
                feature.with("properties", (feature["properties"] ?? .object([])).with("kept", .boolean(true))))
            state.told.append("keep \(id.string ?? "") \(feature["properties"]?["name"]?.string ?? "")")
        }
    }

    func removePlaces(_ ids: [String]) async throws {
        state.withLock { state in
            state.features.removeAll { ids.contains($0["id"]?.string ?? "") }
            state.told.append("remove \(ids.joined(separator: ","))")
        }
    }

    func corrections() async throws -> [UInt8] { state.withLock { $0.book.json } }

    func correct(_ json: [UInt8]) async throws {
        do throws(CorrectionProblem) {
            let order = try Correction.Order(json)
            try state.withLock { state throws(CorrectionProblem) in
                try state.book.take(order)
                state.told.append("correct")
            }
        } catch {
            throw PlaceRejection("\(error)")
        }
    }

    private static func bytes(_ value: JSONValue) -> [UInt8] {
        var writer = JSONWriter()
        value.write(to: &writer)
        return writer.bytes
    }
}

extension JSONValue {
    /// An object with another value for a name.
    fileprivate func with(_ name: String, _ value: JSONValue) -> JSONValue {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { $0.name != name } + [.init(name, value)])
    }
}

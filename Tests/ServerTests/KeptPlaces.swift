import TestSupport
import TrackEngine
import TrackEngineSettings

/// Looks after places in memory and writes down what it was told.
final class KeptPlaces: PlaceKeeping {
    private struct State: Sendable {
        var features: [JSONValue]
        var corrections: [JSONValue] = []
        var told: [String] = []
    }

    private let state: PthreadMutex<State>

    /// - Parameter features: GeoJSON features, each with an `id`.
    init(_ features: String...) {
        state = PthreadMutex(State(features: features.compactMap { JSONValue(ifReadable: Array($0.utf8)) }))
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
            throw PlaceRefusal("expected a feature")
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

    func corrections() async throws -> [UInt8] {
        Self.bytes(.object([.init("corrections", .array(state.withLock { $0.corrections }))]))
    }

    func correct(_ json: [UInt8]) async throws {
        guard let correction = JSONValue(ifReadable: json), let change = correction["change"] else {
            throw PlaceRefusal("expected a correction")
        }
        state.withLock { state in
            if change["undo"] != nil {
                state.corrections.removeAll { $0["id"] == correction["id"] }
            } else {
                state.corrections.append(correction)
            }
            state.told.append("correct \(String(decoding: Self.bytes(change), as: UTF8.self))")
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

package import TrackEngine
package import TrackEnginePlaces
import TrackEngineSettings

/// Places from files.
extension EventSettings {
    /// The longest file, in bytes.
    private static let longestFile = 64 << 20
    /// The maximum number of problems that are reported of one file.
    private static let mostProblems = 20

    /// Converts a problem of a file: `places.geojson:12, feature 3: radius = 0.0: expected 1.0 to 1000000.0 metres`.
    private static func problem(_ problem: PlaceFile.Problem, in path: String) -> ConfigurationProblem {
        let place = "\(path):\(problem.line)" + (problem.element.isEmpty ? "" : ", \(problem.element)")
        let parts = problem.message.split(separator: "expected ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            return ConfigurationProblem(key: "placeFiles", value: place, expectation: problem.message)
        }
        let given = parts[0].isEmpty ? "" : ": " + parts[0].dropLast(2)
        return ConfigurationProblem(key: "placeFiles", value: place + given, expectation: String(parts[1]))
    }

    /// Reads the files of places. Blocking: not for the cooperative pool while the agent runs.
    ///
    /// - Throws: the first 20 problems of every file, with their lines, under `placeFiles`.
    func filedPlaces() throws(ConfigurationError) -> [Place] {
        var places: [Place] = []
        var problems: [ConfigurationProblem] = []
        for path in placeFiles {
            do throws(FileContent.Failure) {
                let file = PlaceFile(try FileContent.read(path, limit: Self.longestFile, [.followsLinks]).bytes)
                places += file.places
                problems += file.problems.prefix(Self.mostProblems).map { Self.problem($0, in: path) }
                if file.places.isEmpty, file.problems.isEmpty {
                    problems.append(
                        ConfigurationProblem(key: "placeFiles", value: path, expectation: "a file with a place in it"))
                }
            } catch {
                problems.append(ConfigurationProblem(key: "placeFiles", value: path, expectation: error.expectation))
            }
        }
        guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
        return places
    }

    /// Makes the event detector with the places of the files, which were read before, and the added places.
    func detector(
        of device: DeviceID, filed: [Place], kept: SavedPlaces
    ) throws(ConfigurationError) -> TrackEventDetector? {
        try detector(of: device, filed: filed + kept.beside(configuredIDs(filed: filed)))
    }

    /// Makes the event detector with the places of the files and the added places; `nil` if no events are wanted.
    /// Reads files.
    ///
    /// - Throws: the problems, under `events.`.
    package func makeDetector(
        of device: DeviceID, kept: SavedPlaces = SavedPlaces()
    ) throws(ConfigurationError) -> TrackEventDetector? {
        do throws(ConfigurationError) {
            return try detector(of: device, filed: filedPlaces(), kept: kept)
        } catch {
            throw ConfigurationError(
                problems: error.problems.map {
                    ConfigurationProblem(key: "events.\($0.key)", value: $0.value, expectation: $0.expectation)
                })
        }
    }
}

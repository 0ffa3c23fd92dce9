import TestSupport
import Testing
import TrackEngine
import TrackEngineFiles

/// Documents that follow a document which ends between two of its elements, where no object is cut.
@Suite struct GeoJSONCutTests {
    private static func feature(_ latitude: Int) -> String {
        #"{"type":"Feature","geometry":{"type":"Point","coordinates":[9.5,\#(latitude)]},"properties":"#
            + #"{"timestamp":"2026-03-01T10:00:00Z"}}"#
    }

    /// Documents of several features in each way in which they are held together.
    private static let layouts: [@Sendable ([Int]) -> String] = [
        { "{\"type\":\"FeatureCollection\",\"features\":[\n\($0.map(feature).joined(separator: ",\n"))\n]}\n" },
        { "{\"locations\":[\($0.map(feature).joined(separator: ","))],\"current\":{}}\n" },
        { "[\($0.map(feature).joined(separator: ","))]\n" },
        { $0.map(feature).joined(separator: "\n") + "\n" },
    ]

    @Test(arguments: layouts.indices, layouts.indices)
    func `a document that ends between two features costs no feature of the document behind it`(
        _ first: Int, _ second: Int
    ) {
        let whole = Self.layouts[first]([1, 2, 3])
        for number in 1...3 {
            let feature = Self.feature(number)
            guard let range = whole.firstRange(of: feature) else { continue }
            for end in ["", "\n", ",", ",\n"] {
                let text = whole[..<range.upperBound] + end + Self.layouts[second]([7, 8])
                let chunk = FormatsTests.read(String(text), as: .geojson)
                let expected: [Double] = [1, 2, 3].prefix(number) + [7, 8]
                #expect(chunk.latitudes == expected, "\(text)")
                if first < 3 { #expect(!chunk.problems.isEmpty, "\(text)") }
            }
        }
    }

    @Test func `each of many documents that are cut is said once, and every feature is read`() {
        let cut = (1...9).map { "{\"features\":[\n\(Self.feature($0)),\n\(Self.feature($0))\n" }.joined()
        let chunk = read(cut + "{\"features\":[\(Self.feature(10))]}\n", as: .geojson)
        #expect(chunk.latitudes == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10])
        expectMessages(chunk.problemTexts, begin: (1...9).map { "malformed \($0 * 3 + 1)" })
    }

    @Test func `an array of collections is read, and what stands beside them`() {
        let collection =
            "{\"type\":\"FeatureCollection\",\"features\":[\(Self.feature(1)),\(Self.feature(2))],\"a\":[{}]}"
        let chunk = read("[\(collection),\n\(Self.feature(3)),\n\(collection)]\n\(Self.feature(4))\n", as: .geojson)
        #expect(chunk.latitudes == [1, 2, 3, 1, 2, 4])
        #expect(chunk.problemTexts == [])
    }

    @Test func `an array that is cut between its collections costs none of the next document`() {
        let collection = "{\"features\":[\(Self.feature(1)),\(Self.feature(2))]}"
        for next in ["[\(Self.feature(3))]", collection.replacing("[9.5,1]", with: "[9.5,3]")] {
            let chunk = read("[\(collection),\n\(next)\n", as: .geojson)
            #expect(chunk.latitudes.prefix(3) == [1, 2, 3])
            #expect(!chunk.problems.isEmpty)
        }
    }

    @Test(arguments: ["{\"a\":1]", "{\"a\":{\"b\":2]]", "{\"timestamp\":[\"x\"]]"])
    func `an object that ends with the wrong bracket is reported, in whatever pieces it comes`(_ broken: String) {
        for layout in [Self.layouts[0], Self.layouts[2]] {
            let text = layout([1, 2, 3]).replacing(Self.feature(2), with: broken)
            let chunk = read(text + Self.feature(4) + "\n", as: .geojson)
            #expect(chunk.latitudes.first == 1)
            #expect(chunk.latitudes.last == 4)
            #expect(!chunk.problems.isEmpty)
        }
    }

    @Test func `a word that names no list begins no document`() {
        let odd =
            #"{"type":"Feature","features":3,"locations":{"features":[1]},"geometry":{"features":[[1]],"type":"Point","#
            + #""coordinates":[9.5,5]},"properties":{"locations":[{}],"note":"features","x":[1],"timestamp":"2026-03-01T10:00:00Z"}}"#
        for text in ["{\"features\":[\(odd)]}", "[\(odd)]"] {
            let chunk = read(text + "\n", as: .geojson)
            #expect(chunk.latitudes == [5])
            #expect(chunk.problemTexts == [])
        }
    }
}

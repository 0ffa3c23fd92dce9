import Testing
import TrackEngineAgent
import TrackEngineFiles
import TrackEngineSettings
import TrackEngineTune

/// What the drawings of the page are made of.
@Suite struct ReportPartsTests {
    @Test(arguments: [
        (1.0, 1.0, 1.0), (1.5, 1, 2), (2, 2, 2), (3, 2, 5), (5, 5, 5), (7, 5, 10), (0.03, 0.02, 0.05), (640, 500, 1000),
    ])
    func `round steps are 1, 2 and 5 times a power of ten`(value: Double, below: Double, above: Double) {
        #expect(abs(ScaleStep.largest(notAbove: value) - below) < 1e-9 * below)
        #expect(abs(ScaleStep.smallest(notBelow: value) - above) < 1e-9 * above)
    }

    @Test(arguments: [
        (5.0, 1.0), (300.0, 60.0), (361.0, 120.0), (1814.0, 600.0), (86_400.0, 14_400.0), (2_592_000.0, 432_000.0),
    ])
    func `steps of time make at most six of a length`(length: Double, step: Double) {
        #expect(ScaleStep.seconds(length, atMost: 6) == step)
    }

    @Test func `a logarithmic scale goes from the round number below to the one above`() {
        let scale = LogScale([3, 70], from: 0, to: 100)
        #expect(scale.ticks.map { ($0 * 10).rounded() / 10 } == [2, 5, 10, 20, 50, 100])
        #expect(abs(scale.place(2)) < 1e-9)
        #expect(abs(scale.place(100) - 100) < 1e-9)
        #expect(abs(scale.place(200.0.squareRoot()) - 50) < 1e-9)
        #expect(LogScale([1], from: 0, to: 10).ticks == [1, 2])
    }

    @Test func `labels cover neither each other nor a point, and stay in their frame`() {
        let points = (0..<8).map { SVGPoint(x: 100 + Double($0) * 4, y: 100 + Double($0 % 3) * 5) }
        var places = LabelPositions(height: 13, within: (x: 0...300, y: 0...200), avoiding: points)
        var taken: [(x: ClosedRange<Double>, y: Double)] = []
        for point in points {
            let place = places.place(beside: point, width: 60)
            let near = place.isLeft ? point.x - LabelPositions.gap - 60 : point.x + LabelPositions.gap
            let extent = near...(near + 60)
            #expect((0...300).contains(extent.lowerBound) && extent.upperBound <= 300)
            #expect(!taken.contains { $0.x.overlaps(extent) && abs($0.y - place.y) < 13 })
            taken.append((extent, place.y))
        }
    }

    @Test func `a label alone stands to the right, near the edge to the left`() {
        var places = LabelPositions(height: 12, within: (x: 0...200, y: 0...100), avoiding: [])
        let alone = places.place(beside: SVGPoint(x: 50, y: 50), width: 60)
        #expect(!alone.isLeft && alone.y == 54)
        let atEdge = places.place(beside: SVGPoint(x: 190, y: 20), width: 60)
        #expect(atEdge.isLeft && atEdge.y == 24)
    }

    @Test func `paths leave out what nobody sees, and never an end`() {
        let near = (0...1000).map { SVGPoint(x: Double($0) * 0.01, y: 0) }
        let path = PathText.lines([near])
        #expect(path.hasPrefix("M0 0L") && path.hasSuffix("L10 0"))
        #expect(path.split(separator: "L").count < 30)
        let many = (0..<100_000).map { SVGPoint(x: Double($0 % 317), y: Double($0 / 317)) }
        #expect(PathText.lines([many], limit: 3000).split(separator: "L").count <= 3001)
        #expect(PathText.dots(many, limit: 3000).split(separator: "M").count <= 3000)
        #expect(PathText.lines([]) == "" && PathText.dots([]) == "")
        #expect(PathText.lines([[SVGPoint(x: 1, y: 2)]]) == "M1 2")
    }
}

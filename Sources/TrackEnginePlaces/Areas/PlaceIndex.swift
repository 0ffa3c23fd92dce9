public import TrackEngine

/// Finds the places near a position, among hundreds of thousands, without testing the others.
///
/// An R-tree that is packed once: boxes in space, in the order of a curve over the map that keeps neighbours
/// together, with eight of them in one box of the level above. Boxes in space, unlike boxes in degrees, have no
/// special cases at the antimeridian and the poles. A grid would need a single cell size, but places range from 1 m
/// to 1000 km. The index uses 41 bytes per place in addition to the place itself.
public struct PlaceIndex: Sendable {
    /// The largest number of places.
    public static let maximumCount = 1_000_000
    static let fanOut = 8

    /// The places in the given order.
    public let places: [Place]
    /// The boxes of the places, followed by those of the levels above.
    let boxes: [SpaceBox]
    /// The start of each level in `boxes`, followed by the end of the last one.
    let levels: [Int]
    /// The places of the first level's boxes.
    let order: [Int32]
    /// The largest hysteresis of all places, in metres.
    let maximumHysteresis: Double
    /// A hash of the ids and areas of all places.
    let signature: UInt64

    /// Creates an index of places.
    ///
    /// - Throws: An error if two places have one id, or there are more than ``maximumCount``.
    public init(_ places: [Place]) throws(ConfigurationError) {
        try Self.check(places)
        self.places = places
        let leaves = places.map { SpaceBox($0.area.box) }
        let order = zip(0..., places).map { (index: $0, key: HilbertCurve.position(of: $1.area.centre)) }.sorted {
            ($0.key, $0.index) < ($1.key, $1.index)
        }
        self.order = order.map { Int32($0.index) }
        var boxes: [SpaceBox] = []
        boxes.reserveCapacity(places.count * Self.fanOut / (Self.fanOut - 1) + 16)
        for place in order { boxes.append(leaves[place.index]) }
        var levels = [0]
        var start = 0
        while boxes.count - start > 1 {
            let end = boxes.count
            levels.append(end)
            for first in stride(from: start, to: end, by: Self.fanOut) {
                boxes.append(SpaceBox(around: boxes[first..<min(first + Self.fanOut, end)]))
            }
            start = end
        }
        levels.append(boxes.count)
        self.boxes = boxes
        self.levels = levels
        maximumHysteresis = places.reduce(0) { max($0, $1.hysteresis) }
        signature = Self.signature(of: places)
    }

    /// Creates an empty index.
    public init() {
        (places, boxes, levels, order) = ([], [], [0, 0], [])
        (maximumHysteresis, signature) = (0, Self.signature(of: []))
    }

    /// The indices of all places within a distance in metres of a position, in ascending order.
    public func places(within distance: Double, of coordinate: Coordinate) -> [Int] {
        let point = EarthVector(coordinate)
        var found: [Int] = []
        var search = PlaceSearch(SpaceBox(from: point, to: point, margin: distance), in: self)
        while let index = search.next(in: self) {
            if places[index].area.distance(from: point) <= distance { found.append(index) }
        }
        return found.sorted()
    }

    /// The place with the smallest radius that contains a position; the first of equal ones.
    public func smallestPlace(containing coordinate: Coordinate) -> Place? {
        places(within: 0, of: coordinate).map { places[$0] }.min { $0.area.radius < $1.area.radius }
    }

    private static func check(_ places: [Place]) throws(ConfigurationError) {
        var check = ConfigurationCheck()
        if places.count > maximumCount { check.problem("places", "\(places.count)", "at most \(maximumCount)") }
        var ids = Set<String>(minimumCapacity: places.count)
        for place in places where !ids.insert(place.id).inserted {
            check.problem("id", place.id, "each id once")
            if check.problems.count >= 20 { break }
        }
        try check.finish()
    }

    /// The FNV-1a hash (RFC 9923) of the ids and the areas' numbers.
    private static func signature(of places: [Place]) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func combine(_ word: UInt64) { hash = (hash ^ word) &* 0x0000_0100_0000_01b3 }
        for place in places {
            for byte in place.id.utf8 { combine(UInt64(byte)) }
            combine(0xff)
            combine(place.area.signature)
        }
        return hash
    }
}

extension Place {
    /// A hash of the id and the area; the same in each run.
    var signature: UInt64 {
        var hash = area.signature
        for byte in id.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        return hash ^ hash >> 32
    }
}

extension Area {
    /// A hash of the area's numbers; the same in each run.
    var signature: UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func combine(_ number: Double) {
            let bits = number.bitPattern
            hash = (hash ^ bits) &* 0x0000_0100_0000_01b3
            hash ^= hash >> 29
        }
        combine(centre.latitude)
        combine(centre.longitude)
        combine(radius)
        switch geometry {
        case .circle: break
        case .corridor(let vertices, let halfWidth):
            combine(halfWidth)
            for vector in vertices.vectors { combine(vector.x + vector.z * 3) }
        case .polygons(let vertices):
            for ring in 0..<vertices.ringCount { combine(Double(vertices.end(ofRing: ring))) }
            for vector in vertices.vectors { combine(vector.x + vector.z * 3) }
        }
        return hash
    }
}

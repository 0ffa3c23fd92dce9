public import TrackEngine

/// Finds the places near a position, among hundreds of thousands, without looking at the others.
///
/// An R-tree, packed once: boxes in space (not in degrees, so that nothing is special at the antimeridian and the poles) in
/// the order of a curve over the map that keeps neighbours together, eight of them in one box of the level above. A grid
/// would need one size of cell, and places range from 1 m to 1000 km. A place costs 41 bytes here beside what it takes
/// itself.
public struct PlaceIndex: Sendable {
    /// The most places.
    public static let maximumCount = 1_000_000
    static let fanOut = 8

    /// The places in the order in which they were given.
    public let places: [Place]
    /// The boxes, the ones of places first, then level by level.
    let boxes: [SpaceBox]
    /// Where each level begins in `boxes`, and behind the last one the end.
    let levels: [Int]
    /// The places of the first level's boxes.
    let order: [Int32]
    /// The largest hysteresis of all places, in metres.
    let maximumHysteresis: Double
    /// Stands for the ids and areas of all places.
    let signature: UInt64

    /// Packs places.
    ///
    /// - Throws: if two have one id, or there are more than ``maximumCount``.
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

    /// An index of nothing.
    public init() {
        (places, boxes, levels, order) = ([], [], [0, 0], [])
        (maximumHysteresis, signature) = (0, Self.signature(of: []))
    }

    /// The indices of all places that are no farther than so many metres from a position, in ascending order.
    public func places(within distance: Double, of coordinate: Coordinate) -> [Int] {
        let point = EarthVector(coordinate)
        var found: [Int] = []
        var search = PlaceSearch(SpaceBox(from: point, to: point, margin: distance), in: self)
        while let index = search.next(in: self) {
            if places[index].area.distance(from: point) <= distance { found.append(index) }
        }
        return found.sorted()
    }

    /// The smallest place in which a position lies, by its reach; of equal ones the first.
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

    /// FNV-1a (RFC 9923) over the ids and what the areas are made of.
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
    /// Stands for the id and the area; the same in each run.
    var signature: UInt64 {
        var hash = area.signature
        for byte in id.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        return hash ^ hash >> 32
    }
}

extension Area {
    /// Stands for the area's numbers; the same in each run.
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

/// A walk over the places of an index whose boxes meet a box, in an order that depends on nothing but the places.
///
/// The tree is packed, so the walk needs no memory of where it came from: the next box stands beside the last one, below it, or
/// behind its parent.
struct PlaceSearch: BitwiseCopyable {
    private let box: SpaceBox
    private var level: Int
    /// Which box of the level.
    private var position = 0

    /// A walk from the beginning.
    init(_ box: SpaceBox, in index: borrowing PlaceIndex) {
        self.box = box
        level = index.levels.count - 2
    }

    /// The next place; `nil` behind the last one.
    mutating func next(in index: borrowing PlaceIndex) -> Int? {
        let (boxes, levels) = (index.boxes.span, index.levels.span)
        let top = levels.count - 2
        while true {
            let start = levels[level]
            guard start + position < levels[level + 1] else { return nil }
            let meets = boxes[start + position].meets(box)
            if meets, level > 0 {
                level -= 1
                position *= PlaceIndex.fanOut
                continue
            }
            let found = position
            let isPlace = meets && level == 0
            position += 1
            // Behind the last box of a level is nothing on the levels above, either.
            while level < top, position % PlaceIndex.fanOut == 0 {
                position /= PlaceIndex.fanOut
                level += 1
            }
            if isPlace { return Int(index.order[found]) }
        }
    }
}

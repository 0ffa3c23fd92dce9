/// A traversal of the places of an index with boxes that intersect a box, in an order that depends only on the
/// places.
///
/// The tree is packed, so the traversal needs no stack: the next box follows the last one, is below it, or follows
/// its parent.
struct PlaceSearch: BitwiseCopyable {
    private let box: SpaceBox
    private var level: Int
    /// The index of the box within the level.
    private var position = 0

    /// A traversal from the beginning.
    init(_ box: SpaceBox, in index: borrowing PlaceIndex) {
        self.box = box
        level = index.levels.count - 2
    }

    /// The next place; `nil` after the last one.
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
            // After the last box of a level, there is also no further box on the levels above.
            while level < top, position % PlaceIndex.fanOut == 0 {
                position /= PlaceIndex.fanOut
                level += 1
            }
            if isPlace { return Int(index.order[found]) }
        }
    }
}

package import TrackEngine

extension Activity {
    /// The activity for a word of Overland, Android or CalmGeo; `nil` for `unknown` and other words, so that the
    /// engine infers it.
    package init?(word: Span<UInt8>) {
        if word.equals("stationary") || word.equals("still") {
            self = .stationary
        } else if word.equals("walking") || word.equals("on_foot") {
            self = .walking
        } else if word.equals("running") {
            self = .running
        } else if word.equals("cycling") || word.equals("on_bicycle") {
            self = .cycling
        } else if word.equals("driving") || word.equals("in_vehicle") || word.equals("automotive") {
            self = .driving
        } else {
            return nil
        }
    }
}

import TrackEngine

let filter = DistanceFilter()
precondition(filter.keeps(distance: 100, speed: 10), "100 m at 10 m/s is farther than the threshold of 99.2 m")
precondition(!filter.keeps(distance: 99, speed: 10), "99 m is not")

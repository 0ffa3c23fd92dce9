package main

import (
	"fmt"
	"trackengine"
)

func main() {
	filter, _ := trackengine.NewFilter("")
	fixes, records := 0, 0
	var seconds, latitude, longitude float64
	for count := 3; count == 3; fixes++ {
		count, _ = fmt.Scanf("%f,%f,%f\n", &seconds, &latitude, &longitude)
		decisions, _ := filter.Push([]trackengine.Fix{trackengine.NewFix(int64(seconds*1e9), latitude, longitude)})
		if len(decisions) > 0 && decisions[len(decisions)-1].Kind == trackengine.Recorded {
			records++
		}
	}
	fmt.Printf("%d records of %d fixes\n", records, fixes-1)
}

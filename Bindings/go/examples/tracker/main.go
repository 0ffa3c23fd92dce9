package main

import (
	"fmt"
	"time"
	"trackengine"
)

func main() {
	console := trackengine.Sink{Name: "console", Deliver: func(records []trackengine.Record) (int, error) {
		fmt.Println(len(records), "records up to", records[len(records)-1].Sequence)
		return len(records), nil
	}}
	tracker, err := trackengine.NewTracker(trackengine.Settings{Device: "van-7", Sinks: []trackengine.Sink{console}})
	for second := int64(0); second < 60 && err == nil; second++ {
		err = tracker.Push(trackengine.NewFix(time.Now().UnixNano()+second*1e9, 52.5, 13.4+float64(second)*1e-4))
	}
	tracker.Close()
}

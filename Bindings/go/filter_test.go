package trackengine

import (
	"strings"
	"testing"
)

func TestADriveHasRecordsByDistance(t *testing.T) {
	filter, err := NewFilter(`{"distanceFilter": 100, "disableSpeedMultiplier": true}`)
	if err != nil {
		t.Fatal(err)
	}
	defer filter.Close()
	var fixes []Fix
	for second := 0; second < 1000; second++ {
		fixes = append(fixes, NewFix(int64(second)*1e9+1e18, 52+float64(second)*12/111000, 13.4).WithSpeed(12))
	}
	decisions, err := filter.Push(fixes)
	if err != nil || len(decisions) != 1000 {
		t.Fatalf("%d decisions, %v: expected one for each fix", len(decisions), err)
	}
	if decisions[9].Kind != Recorded || decisions[9].Reason != "distance" || decisions[8].Reason != "too-near" {
		t.Errorf("%v: expected a record by distance after 108 m", decisions[8:10])
	}
}

func TestWrongSettingsNameTheKey(t *testing.T) {
	_, err := NewFilter(`{"distanceFilter": -1}`)
	if err == nil || !strings.Contains(err.Error(), "tracking.distanceFilter = -1: expected 0 to 100000 metres") {
		t.Errorf("%v: expected the key and the range", err)
	}
}

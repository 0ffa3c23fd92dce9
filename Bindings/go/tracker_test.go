package trackengine

import (
	"errors"
	"strings"
	"testing"
)

func TestASinkGetsEachRecordAndAFailedBatchAgain(t *testing.T) {
	batches := make(chan []Record, 1000)
	attempts := 0
	tracker, err := NewTracker(Settings{
		Device: "van", Directory: t.TempDir() + "/store", Recorded: true,
		Sinks: []Sink{{Name: "s", Sync: `{"syncThreshold": 1}`, Deliver: func(records []Record) (int, error) {
			attempts++
			if attempts == 1 {
				return 0, errors.New("no connection")
			}
			batches <- records
			return len(records), nil
		}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for second := 0; second < 200; second++ {
		fix := NewFix(1772359200e9+int64(second)*1e9, 52+float64(second)*12/111000, 13.4).WithSpeed(12)
		if err := tracker.Push(fix); err != nil {
			t.Fatal(err)
		}
	}
	for len(batches) == 0 { // the first sync may be the one that fails
		if err := tracker.Sync(); err != nil {
			t.Fatal(err)
		}
	}
	if status := tracker.Status(); !strings.Contains(status, `"state":"running"`) {
		t.Errorf("%s: expected a tracker that runs", status)
	}
	tracker.Close()
	close(batches)
	last := int64(0)
	for records := range batches {
		for _, record := range records {
			if record.Sequence != last+1 || len(record.ID) != 36 {
				t.Errorf("record %d %s after %d: expected each record once, in order", record.Sequence, record.ID, last)
			}
			last = record.Sequence
		}
	}
	if last < 5 {
		t.Errorf("%d records: expected some", last)
	}
}

func TestAStoreThatCannotBeIsAnError(t *testing.T) {
	if _, err := NewTracker(Settings{Device: "van", Directory: "/dev/null/store"}); err == nil {
		t.Error("expected an error")
	}
}

func TestASinkThatConfirmsTooMuchIsTriedAgainAndAClosedTrackerReturnsErrors(t *testing.T) {
	attempts := make(chan int64, 1000)
	wrong := []int{1, -1000}
	tracker, err := NewTracker(Settings{
		Device: "van", Recorded: true,
		Sinks: []Sink{{Name: "s", Sync: `{"syncThreshold": 1}`,
			Deliver: func(records []Record) (int, error) {
				attempts <- records[0].Sequence
				if attempt := len(attempts); attempt <= len(wrong) {
					return len(records) + wrong[attempt-1], nil
				}
				return len(records), nil
			}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := tracker.Push(NewFix(1772359200e9, 52, 13.4)); err != nil {
		t.Fatal(err)
	}
	for len(attempts) < 3 {
		if err := tracker.Sync(); err != nil {
			t.Fatal(err)
		}
	}
	for attempt := 0; attempt < 3; attempt++ {
		if sequence := <-attempts; sequence != 1 {
			t.Errorf("record %d: expected the first one again", sequence)
		}
	}
	tracker.Close()
	tracker.Close()
	if err := tracker.Push(NewFix(1772359201e9, 52, 13.4)); err == nil {
		t.Error("expected an error of a closed tracker")
	}
	if err := tracker.Sync(); err == nil || tracker.Status() != "" {
		t.Error("expected an error and no status of a closed tracker")
	}
}

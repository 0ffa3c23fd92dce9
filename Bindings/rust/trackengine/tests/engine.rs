use std::sync::{Arc, Mutex};
use trackengine::{DeliveryError, Filter, Fix, Kind, Recovery, Settings, Tracker, Verdict};

/// A fix a second, northward at 12 m/s.
fn drive(count: i64) -> Vec<Fix> {
    let fix = |second: i64| {
        let time = (1_772_359_200 + second) * 1_000_000_000;
        Fix::new(time, 52.0 + second as f64 * 12.0 / 111_000.0, 13.4).speed(12.0)
    };
    (0..count).map(fix).collect()
}

#[test]
fn a_drive_has_records_by_distance() {
    let mut filter = Filter::new(r#"{"distanceFilter": 100, "disableSpeedMultiplier": true}"#).unwrap();
    let mut decisions = Vec::new();
    filter.push(&drive(1000), |decision| decisions.push(decision)).unwrap();
    assert_eq!(decisions.len(), 1000);
    assert!(matches!(decisions[0].verdict, Verdict::Record { cause: "first", .. }));
    // 108 m after nine seconds.
    assert_eq!(decisions[8].verdict, Verdict::Reject { reason: "too-near" });
    assert!(matches!(decisions[9].verdict, Verdict::Record { cause: "distance", moving: true, .. }));
    assert!((filter.odometer() - 999.0 * 12.0).abs() < 60.0, "{}", filter.odometer());
}

#[test]
fn undecided_fixes_are_decided_by_a_flush() {
    let mut filter = Filter::new(r#"{"record": "deviation", "maximumInterval": 0}"#).unwrap();
    filter.push(&drive(100), |_| ()).unwrap();
    let mut decided = Vec::new();
    filter.flush(|decision| decided.push(decision.fix)).unwrap();
    assert_eq!(decided, [99]);
}

#[test]
fn wrong_settings_name_the_key() {
    let error = Filter::new(r#"{"distanceFilter": -1}"#).unwrap_err();
    assert_eq!(error.kind, Kind::Settings);
    assert_eq!(error.message, "tracking.distanceFilter = -1: expected 0 to 100000 metres");
    assert_eq!(Filter::new("{\0}").unwrap_err().kind, Kind::Argument);
}

#[test]
fn a_failed_delivery_is_tried_again() {
    let attempts: Arc<Mutex<Vec<Vec<i64>>>> = Arc::default();
    let seen = attempts.clone();
    let settings = Settings::new("van").recorded().sink("s", r#"{"syncThreshold": 1, "maxBatchSize": 3}"#, move |records| {
        let mut attempts = seen.lock().unwrap();
        attempts.push(records.iter().map(|record| record.sequence).collect());
        match attempts.len() {
            1 => Err(DeliveryError {
                recovery: Recovery::Retry(Some(std::time::Duration::from_millis(1))),
                reason: "no connection".into(),
            }),
            2 => Ok(1),
            _ => Ok(records.len()),
        }
    });
    let tracker = Tracker::new(settings).unwrap();
    tracker.push(&drive(200)).unwrap();
    while attempts.lock().unwrap().len() < 3 {
        tracker.sync().unwrap();
    }
    assert!(tracker.status().unwrap().contains(r#""state":"running""#));
    tracker.stop().unwrap();
    assert_eq!(tracker.push(&drive(1)).unwrap_err().kind, Kind::Stopped);
    let attempts = attempts.lock().unwrap();
    assert_eq!(attempts[0][0], 1);
    assert_eq!(attempts[2][0], attempts[1][1], "expected the next delivery to begin after the settled record");
}

#[test]
fn entering_and_leaving_a_place_are_events() {
    let seen: Arc<Mutex<Vec<Option<String>>>> = Arc::default();
    let events = seen.clone();
    let depot = r#"{"type": "Feature", "id": "depot", "geometry": {"type": "Point", "coordinates": [13.4, 52.01]},
        "properties": {"name": "Depot", "radius": 200}}"#;
    let settings = Settings::new("van").recorded().places(depot).sink("s", "{}", move |records| {
        events.lock().unwrap().extend(records.iter().map(|record| record.event.clone()));
        Ok(records.len())
    });
    let tracker = Tracker::new(settings).unwrap();
    tracker.push(&drive(300)).unwrap();
    tracker.sync().unwrap();
    tracker.stop().unwrap();
    let seen = seen.lock().unwrap();
    let events: Vec<_> = seen.iter().flatten().collect();
    assert_eq!(events.len(), 2);
    assert!(events[0].contains(r#""event":"enter""#), "{}", events[0]);
    assert!(events[1].contains(r#""event":"leave""#), "{}", events[1]);
    assert!(seen.len() > 2);
}

#[test]
fn a_callback_that_panics_or_confirms_too_much_is_tried_again() {
    let attempts: Arc<Mutex<Vec<i64>>> = Arc::default();
    let seen = attempts.clone();
    let sync = r#"{"syncThreshold": 1}"#;
    let settings = Settings::new("van").recorded().sink("s", sync, move |records| {
        let attempt = {
            let mut attempts = seen.lock().unwrap();
            attempts.push(records[0].sequence);
            attempts.len()
        };
        match attempt {
            1 => panic!("by the test"),
            2 => Ok(records.len() + 1),
            _ => Ok(records.len()),
        }
    });
    let tracker = Arc::new(Tracker::new(settings).unwrap());
    let other = tracker.clone(); // a tracker can be used by several threads
    std::thread::spawn(move || other.push(&drive(30)).unwrap()).join().unwrap();
    while attempts.lock().unwrap().len() < 3 {
        tracker.sync().unwrap();
    }
    assert_eq!(attempts.lock().unwrap()[..3], [1, 1, 1]);
}

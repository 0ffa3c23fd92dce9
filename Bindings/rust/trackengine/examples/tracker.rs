use trackengine::{Fix, Settings, Tracker};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let directory = std::env::args().nth(1).ok_or("expected the directory of the store")?;
    let settings = Settings::new("van-7").directory(&directory).sink("console", r#"{"syncThreshold": 5}"#, |records| {
        for record in records {
            println!("{} {} {} {}", record.sequence, record.fix.latitude(), record.fix.longitude(), record.cause);
        }
        Ok(records.len())
    });
    let tracker = Tracker::new(settings)?;
    let start = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH)?.as_nanos() as i64;
    for second in 0..60 {
        let longitude = 13.4 + second as f64 * 1e-4;
        tracker.push(&[Fix::new(start + second * 1_000_000_000, 52.5, longitude).speed(6.8)])?;
    }
    Ok(tracker.stop()?)
}

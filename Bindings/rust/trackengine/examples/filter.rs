use trackengine::{Filter, Fix};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).ok_or("expected a file with lines of seconds,latitude,longitude")?;
    let mut fixes = Vec::new();
    for line in std::fs::read_to_string(file)?.lines() {
        let numbers = line.split(',').map(str::parse).collect::<Result<Vec<f64>, _>>()?;
        fixes.push(Fix::new((numbers[0] * 1e9) as i64, numbers[1], numbers[2]));
    }
    let mut records = 0;
    let mut filter = Filter::new(r#"{"record": "deviation"}"#)?;
    filter.push(&fixes, |decision| records += u64::from(decision.is_record()))?;
    filter.flush(|decision| records += u64::from(decision.is_record()))?;
    println!("{records} records of {} fixes, {:.0} m", fixes.len(), filter.odometer());
    Ok(())
}

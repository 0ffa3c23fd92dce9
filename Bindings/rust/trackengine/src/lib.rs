//! TrackEngine: filters GPS fixes, keeps records until they are delivered.
//!
//! [`Filter`] turns fixes into decisions. [`Tracker`] keeps the records of a source in a store and delivers them to
//! sinks. Times are nanoseconds since 1970, all other numbers are in SI units.

mod error;
mod filter;
mod fix;
mod tracker;

pub use error::{Error, Kind};
pub use filter::{Decision, Filter, Verdict};
pub use fix::Fix;
pub use tracker::{DeliveryError, Record, Recovery, Settings, Tracker};

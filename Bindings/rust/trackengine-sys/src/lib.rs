//! The functions and structs of `trackengine.h`, which documents them.

#![allow(non_camel_case_types)]

use std::os::raw::{c_char, c_void};

pub type te_status = i32;

pub const TE_ABI_VERSION: u32 = 1;
pub const TE_OK: te_status = 0;
pub const TE_ERROR_ARGUMENT: te_status = 1;
pub const TE_ERROR_SETTINGS: te_status = 2;
pub const TE_ERROR_STORE: te_status = 3;
pub const TE_ERROR_STOPPED: te_status = 4;
pub const TE_ERROR_TOKEN: te_status = 5;

pub const TE_RECORD: u8 = 1;
pub const TE_REJECT: u8 = 2;
pub const TE_UNDECIDED: u8 = 3;
pub const TE_STANDBY: u8 = 4;

pub const TE_MOVING: u8 = 1;
pub const TE_MOTION_CHANGE: u8 = 2;

pub const TE_RETRY: u32 = 1;
pub const TE_SMALLER: u32 = 2;
pub const TE_REJECTED: u32 = 3;
pub const TE_NEEDS_OPERATOR: u32 = 4;

pub const TE_TIME_ARRIVAL: u32 = 0;
pub const TE_TIME_FIX: u32 = 1;

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct te_fix {
    pub size: u32,
    pub mode: u8,
    pub status: u8,
    pub activity: u8,
    pub flags: u8,
    pub time: i64,
    pub latitude: f64,
    pub longitude: f64,
    pub altitude: f64,
    pub ellipsoidal_altitude: f64,
    pub horizontal_accuracy: f64,
    pub vertical_accuracy: f64,
    pub speed: f64,
    pub speed_accuracy: f64,
    pub course: f64,
    pub course_accuracy: f64,
    pub horizontal_dilution: f32,
    pub position_dilution: f32,
    pub satellites_used: i16,
    pub satellites_visible: i16,
    pub reserved: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct te_decision {
    pub size: u32,
    pub kind: u8,
    pub reason: u8,
    pub flags: u8,
    pub activity: u8,
    pub fix: u64,
    pub time: i64,
    pub odometer: f64,
    pub passed_over: u32,
    pub activity_confidence: u8,
    pub reserved: [u8; 3],
}

#[repr(C)]
pub struct te_decisions {
    pub size: u32,
    pub item_size: u32,
    pub items: *mut te_decision,
    pub capacity: usize,
    pub count: usize,
    pub taken: usize,
}

#[repr(C)]
pub struct te_filter_config {
    pub size: u32,
    pub reserved: u32,
    pub tracking: *const c_char,
    pub wall_clock: i64,
}

#[repr(C)]
pub struct te_record {
    pub size: u32,
    pub cause: u8,
    pub flags: u8,
    pub activity: u8,
    pub activity_confidence: u8,
    pub sequence: i64,
    pub odometer: f64,
    pub id: [c_char; 40],
    pub fix: te_fix,
    pub event: *const c_char,
}

pub type te_deliver = extern "C" fn(*mut c_void, u64, *const te_record, usize);

#[repr(C)]
pub struct te_sink {
    pub size: u32,
    pub reserved: u32,
    pub name: *const c_char,
    pub sync: *const c_char,
    pub deliver: Option<te_deliver>,
    pub context: *mut c_void,
}

#[repr(C)]
pub struct te_tracker_config {
    pub size: u32,
    pub time_base: u32,
    pub device: *const c_char,
    pub source: *const c_char,
    pub directory: *const c_char,
    pub tracking: *const c_char,
    pub retention: *const c_char,
    pub sinks: *const te_sink,
    pub sink_count: usize,
    pub events: *const c_char,
    pub places: *const c_char,
    pub senders: *const c_char,
}

#[repr(C)]
pub struct te_filter {
    _private: [u8; 0],
}

#[repr(C)]
pub struct te_tracker {
    _private: [u8; 0],
}

extern "C" {
    pub fn te_abi_version() -> u32;
    pub fn te_last_error() -> *const c_char;
    pub fn te_cause_name(cause: u32) -> *const c_char;
    pub fn te_rejection_name(rejection: u32) -> *const c_char;

    pub fn te_filter_new(config: *const te_filter_config, error: *mut te_status) -> *mut te_filter;
    pub fn te_filter_free(filter: *mut te_filter);
    pub fn te_filter_push(
        filter: *mut te_filter,
        fixes: *const te_fix,
        count: usize,
        decisions: *mut te_decisions,
    ) -> te_status;
    pub fn te_filter_flush(filter: *mut te_filter, decisions: *mut te_decisions) -> te_status;
    pub fn te_filter_interrupt(filter: *mut te_filter, decisions: *mut te_decisions) -> te_status;
    pub fn te_filter_odometer(filter: *const te_filter) -> f64;

    pub fn te_tracker_new(config: *const te_tracker_config, error: *mut te_status) -> *mut te_tracker;
    pub fn te_tracker_push(tracker: *mut te_tracker, fixes: *const te_fix, count: usize) -> te_status;
    pub fn te_tracker_settle(tracker: *mut te_tracker, token: u64, settled: usize) -> te_status;
    pub fn te_tracker_fail(
        tracker: *mut te_tracker,
        token: u64,
        recovery: u32,
        retry_after: u64,
        reason: *const c_char,
    ) -> te_status;
    pub fn te_tracker_sync(tracker: *mut te_tracker) -> te_status;
    pub fn te_tracker_status(tracker: *mut te_tracker, error: *mut te_status) -> *mut c_char;
    pub fn te_string_free(text: *mut c_char);
    pub fn te_tracker_stop(tracker: *mut te_tracker) -> te_status;
    pub fn te_tracker_free(tracker: *mut te_tracker);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::{size_of, MaybeUninit};

    /// The place of a member, in Rust before `std::mem::offset_of`.
    macro_rules! offset_of {
        ($type:ty, $member:ident) => {{
            let value = MaybeUninit::<$type>::uninit();
            let start = value.as_ptr();
            (unsafe { std::ptr::addr_of!((*start).$member) } as usize) - start as usize
        }};
    }

    /// LAYOUT has the places of the header's members: lines of struct, member and offset.
    #[test]
    fn structs_have_the_layout_of_the_header() {
        let layout = std::env::var("LAYOUT").expect("the variable LAYOUT, as Bindings/test sets it");
        let place = |name: &str| {
            let line = layout.lines().find(|line| line.starts_with(&format!("{name} ")));
            line.and_then(|line| line.rsplit(' ').next()?.parse::<usize>().ok()).expect(name)
        };
        assert_eq!(size_of::<te_fix>(), place("te_fix sizeof"));
        assert_eq!(size_of::<te_decision>(), place("te_decision sizeof"));
        assert_eq!(size_of::<te_decisions>(), place("te_decisions sizeof"));
        assert_eq!(size_of::<te_filter_config>(), place("te_filter_config sizeof"));
        assert_eq!(size_of::<te_record>(), place("te_record sizeof"));
        assert_eq!(size_of::<te_sink>(), place("te_sink sizeof"));
        assert_eq!(size_of::<te_tracker_config>(), place("te_tracker_config sizeof"));
        assert_eq!(offset_of!(te_fix, course_accuracy), place("te_fix course_accuracy"));
        assert_eq!(offset_of!(te_fix, satellites_visible), place("te_fix satellites_visible"));
        assert_eq!(offset_of!(te_decision, passed_over), place("te_decision passed_over"));
        assert_eq!(offset_of!(te_record, event), place("te_record event"));
        assert_eq!(offset_of!(te_sink, context), place("te_sink context"));
        assert_eq!(offset_of!(te_tracker_config, senders), place("te_tracker_config senders"));
    }
}

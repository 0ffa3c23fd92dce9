use crate::error::text;
use crate::{Error, Fix};
use std::ffi::CStr;
use trackengine_sys as sys;

/// What is decided about a fix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    /// The fix is to be recorded, with the name of the cause.
    Record { cause: &'static str, odometer: f64, moving: bool },
    /// The fix is not to be recorded, with the name of the reason.
    Reject { reason: &'static str },
    /// Later fixes decide.
    Undecided,
    /// The object has rested for long.
    Standby,
}

/// A decision about a fix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    /// The number of the fix; the first one that was pushed is 0.
    pub fix: u64,
    /// The time of the fix in nanoseconds since 1970.
    pub time: i64,
    /// What is decided.
    pub verdict: Verdict,
}

impl Decision {
    /// Whether the fix is to be recorded.
    pub fn is_record(&self) -> bool {
        matches!(self.verdict, Verdict::Record { .. })
    }

    fn new(raw: &sys::te_decision) -> Decision {
        let verdict = match raw.kind {
            sys::TE_RECORD => Verdict::Record {
                cause: cause_name(raw.reason),
                odometer: raw.odometer,
                moving: raw.flags & sys::TE_MOVING != 0,
            },
            sys::TE_REJECT => Verdict::Reject { reason: rejection_name(raw.reason) },
            sys::TE_UNDECIDED => Verdict::Undecided,
            _ => Verdict::Standby,
        };
        Decision { fix: raw.fix, time: raw.time, verdict }
    }
}

pub(crate) fn cause_name(number: u8) -> &'static str {
    // SAFETY: the text is ASCII and valid until the program ends.
    unsafe { CStr::from_ptr(sys::te_cause_name(number.into())) }.to_str().unwrap_or("")
}

fn rejection_name(number: u8) -> &'static str {
    // SAFETY: as above.
    unsafe { CStr::from_ptr(sys::te_rejection_name(number.into())) }.to_str().unwrap_or("")
}

/// The gates, motion states and recording rule of one track.
#[derive(Debug)]
pub struct Filter {
    handle: *mut sys::te_filter,
    memory: Vec<sys::te_decision>,
}

// SAFETY: a filter may move from thread to thread; &mut self keeps out concurrent use.
unsafe impl Send for Filter {}

const CAPACITY: usize = 300;

impl Filter {
    /// Creates a filter from a JSON object with the keys of trackd's section `tracking`; `{}` for the defaults.
    pub fn new(tracking: &str) -> Result<Filter, Error> {
        let tracking = text(tracking)?;
        let config = sys::te_filter_config {
            size: std::mem::size_of::<sys::te_filter_config>() as u32,
            reserved: 0,
            tracking: tracking.as_ptr(),
            wall_clock: 0,
        };
        let mut status = sys::TE_OK;
        // SAFETY: config and its text live until the call has returned.
        let handle = unsafe { sys::te_filter_new(&config, &mut status) };
        Error::check(status)?;
        Ok(Filter { handle, memory: vec![sys::te_decision::default(); CAPACITY] })
    }

    /// Processes fixes in their order, and calls `decide` with each decision.
    pub fn push(&mut self, fixes: &[Fix], mut decide: impl FnMut(Decision)) -> Result<(), Error> {
        let mut start = 0;
        while start < fixes.len() {
            let rest = &fixes[start..fixes.len().min(start + 256)];
            let handle = self.handle;
            // SAFETY: Fix has the layout of te_fix.
            start += self.call(&mut decide, |output| unsafe {
                sys::te_filter_push(handle, rest.as_ptr().cast(), rest.len(), output)
            })?;
        }
        Ok(())
    }

    /// Decides about the undecided fixes, because the track ends here; only the rule `deviation` has any.
    pub fn flush(&mut self, mut decide: impl FnMut(Decision)) -> Result<(), Error> {
        loop {
            let (handle, mut count) = (self.handle, 0);
            // SAFETY: the handle is valid until drop.
            self.call(
                &mut |decision| {
                    count += 1;
                    decide(decision)
                },
                |output| unsafe { sys::te_filter_flush(handle, output) },
            )?;
            if count < CAPACITY {
                return Ok(());
            }
        }
    }

    /// The distance that the object has travelled, in metres.
    pub fn odometer(&self) -> f64 {
        // SAFETY: the handle is valid until drop.
        unsafe { sys::te_filter_odometer(self.handle) }
    }

    fn call(
        &mut self,
        decide: &mut impl FnMut(Decision),
        function: impl FnOnce(*mut sys::te_decisions) -> sys::te_status,
    ) -> Result<usize, Error> {
        let mut output = sys::te_decisions {
            size: std::mem::size_of::<sys::te_decisions>() as u32,
            item_size: std::mem::size_of::<sys::te_decision>() as u32,
            items: self.memory.as_mut_ptr(),
            capacity: self.memory.len(),
            count: 0,
            taken: 0,
        };
        Error::check(function(&mut output))?;
        self.memory[..output.count].iter().map(Decision::new).for_each(decide);
        Ok(output.taken)
    }
}

impl Drop for Filter {
    fn drop(&mut self) {
        // SAFETY: the handle is freed once.
        unsafe { sys::te_filter_free(self.handle) }
    }
}

use crate::error::text;
use crate::filter::cause_name;
use crate::{Error, Fix};
use std::ffi::{c_void, CStr, CString};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::mpsc::{channel, Sender};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;
use trackengine_sys as sys;

/// A record of the track.
#[derive(Clone, Debug)]
pub struct Record {
    /// The identifier, an upper-case UUID; the same whenever the record is sent.
    pub id: String,
    /// The number in the order of acceptance.
    pub sequence: i64,
    /// The name of the reason why the fix was recorded.
    pub cause: &'static str,
    /// Whether the object moved.
    pub moving: bool,
    /// The distance travelled since the track began, in metres.
    pub odometer: f64,
    /// The position.
    pub fix: Fix,
    /// The JSON object of an event, with `kind` and a member of that name with the details; `None` for a position.
    pub event: Option<String>,
}

impl Record {
    fn new(raw: &sys::te_record) -> Record {
        Record {
            // SAFETY: the library ends the text with a zero byte.
            id: unsafe { CStr::from_ptr(raw.id.as_ptr()) }.to_string_lossy().into_owned(),
            sequence: raw.sequence,
            cause: cause_name(raw.cause),
            moving: raw.flags & sys::TE_MOVING != 0,
            odometer: raw.odometer,
            fix: Fix::from_raw(raw.fix),
            // SAFETY: NULL, or a text that is valid within the callback.
            event: (!raw.event.is_null())
                .then(|| unsafe { CStr::from_ptr(raw.event) }.to_string_lossy().into_owned()),
        }
    }
}

/// What the tracker does after a failed delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recovery {
    /// Tries again after a growing wait, or after this one.
    Retry(Option<Duration>),
    /// Sends fewer records.
    Smaller,
    /// Searches for the record that the receiver refuses.
    Rejected,
    /// Keeps all records until a person repairs it.
    NeedsOperator,
}

/// The failure of a delivery; the reason appears in the status, so it contains no secret and no position.
#[derive(Clone, Debug)]
pub struct DeliveryError {
    /// The next step.
    pub recovery: Recovery,
    /// The reason in words.
    pub reason: String,
}

type Deliver = Box<dyn FnMut(&[Record]) -> Result<usize, DeliveryError> + Send>;

/// The settings of a tracker.
pub struct Settings {
    device: String,
    directory: Option<String>,
    tracking: Option<String>,
    events: Option<String>,
    places: Option<String>,
    senders: Option<String>,
    recorded: bool,
    sinks: Vec<(String, Option<String>, Deliver)>,
}

impl Settings {
    /// Settings with a store in memory and no sink.
    pub fn new(device: &str) -> Settings {
        Settings {
            device: device.into(),
            directory: None,
            tracking: None,
            events: None,
            places: None,
            senders: None,
            recorded: false,
            sinks: Vec::new(),
        }
    }

    /// Keeps records in an SQLite store, in a directory of its own.
    pub fn directory(mut self, directory: &str) -> Settings {
        self.directory = Some(directory.into());
        self
    }

    /// A JSON object with the keys of trackd's section `tracking`.
    pub fn tracking(mut self, json: &str) -> Settings {
        self.tracking = Some(json.into());
        self
    }

    /// Detects events: a JSON object with the keys visits, trips, stopAfter, stayRadius, minimumDistance, gap and
    /// heartbeat of trackd's section `events`.
    pub fn events(mut self, json: &str) -> Settings {
        self.events = Some(json.into());
        self
    }

    /// Places in GeoJSON, KML or OwnTracks' form: entering and leaving one is an event.
    pub fn places(mut self, file: &str) -> Settings {
        self.places = Some(file.into());
        self
    }

    /// Sends by itself: a JSON list of sinks as trackd's section `sinks`, of the type mqtt, where the library is
    /// libtrackengine-agent.
    pub fn senders(mut self, json: &str) -> Settings {
        self.senders = Some(json.into());
        self
    }

    /// Time is that of the fixes, not of the machine's clock.
    pub fn recorded(mut self) -> Settings {
        self.recorded = true;
        self
    }

    /// Adds a sink. `sync` is a JSON object with the keys of a sink of trackd, such as `{"syncThreshold": 5}`.
    ///
    /// `deliver` runs on a thread of the sink, and returns how many records, from the first on, the receiver has
    /// confirmed. Another number, or a panic, is a failed delivery: the tracker tries again.
    pub fn sink(
        mut self,
        name: &str,
        sync: &str,
        deliver: impl FnMut(&[Record]) -> Result<usize, DeliveryError> + Send + 'static,
    ) -> Settings {
        self.sinks.push((name.into(), Some(sync.into()), Box::new(deliver)));
        self
    }
}

/// The handle, for the threads of the sinks.
#[derive(Clone, Copy)]
struct Handle(*mut sys::te_tracker);

// SAFETY: the functions of a tracker may be called by any thread.
unsafe impl Send for Handle {}
unsafe impl Sync for Handle {}

/// The result of the start, for which the threads of the sinks wait.
#[derive(Default)]
struct Start {
    result: Mutex<Option<Option<Handle>>>,
    known: Condvar,
}

impl Start {
    /// Sets the handle, or `None` after a failure. Once.
    fn set(&self, handle: Option<Handle>) {
        *self.result.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some(handle);
        self.known.notify_all();
    }

    fn wait(&self) -> Option<Handle> {
        let mut result = self.result.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        loop {
            match *result {
                Some(handle) => return handle,
                None => result = self.known.wait(result).unwrap_or_else(|poisoned| poisoned.into_inner()),
            }
        }
    }
}

/// A tracker that runs. Dropping it stops it.
pub struct Tracker {
    handle: Handle,
    /// In boxes, because the library has their addresses. Freed after the handle.
    queues: Vec<Box<Queue>>,
    workers: Vec<thread::JoinHandle<()>>,
}

/// Deliveries on their way to the thread of a sink.
struct Queue(Mutex<Sender<(u64, Vec<Record>)>>);

extern "C" fn deliver(context: *mut c_void, token: u64, records: *const sys::te_record, count: usize) {
    // SAFETY: the context is a Queue that lives as long as the tracker; the records are valid within this call.
    let (queue, records) = unsafe { (&*context.cast::<Queue>(), std::slice::from_raw_parts(records, count)) };
    // A receiver that is gone belongs to a tracker that could not start.
    let batch = (token, records.iter().map(Record::new).collect());
    let _ = queue.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).send(batch);
}

impl Tracker {
    /// Opens the store and starts a tracker.
    pub fn new(settings: Settings) -> Result<Tracker, Error> {
        let start: Arc<Start> = Arc::default();
        let (mut queues, mut workers, mut sinks, mut texts) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut keep = |value: CString| {
            let address = value.as_ptr();
            texts.push(value);
            address
        };
        for (name, sync, function) in settings.sinks {
            let (sender, receiver) = channel();
            let queue = Box::new(Queue(Mutex::new(sender)));
            sinks.push(sys::te_sink {
                size: std::mem::size_of::<sys::te_sink>() as u32,
                reserved: 0,
                name: keep(text(&name)?),
                sync: sync.map(|sync| text(&sync)).transpose()?.map_or(std::ptr::null(), &mut keep),
                deliver: Some(deliver),
                context: &*queue as *const Queue as *mut c_void,
            });
            queues.push(queue);
            let start = start.clone();
            workers.push(thread::spawn(move || work(receiver, function, &start)));
        }
        let config = sys::te_tracker_config {
            size: std::mem::size_of::<sys::te_tracker_config>() as u32,
            time_base: if settings.recorded { sys::TE_TIME_FIX } else { sys::TE_TIME_ARRIVAL },
            device: keep(text(&settings.device)?),
            source: std::ptr::null(),
            directory: settings.directory.map(|path| text(&path)).transpose()?.map_or(std::ptr::null(), &mut keep),
            tracking: settings.tracking.map(|json| text(&json)).transpose()?.map_or(std::ptr::null(), &mut keep),
            retention: std::ptr::null(),
            sinks: sinks.as_ptr(),
            sink_count: sinks.len(),
            events: settings.events.map(|json| text(&json)).transpose()?.map_or(std::ptr::null(), &mut keep),
            places: settings.places.map(|file| text(&file)).transpose()?.map_or(std::ptr::null(), &mut keep),
            senders: settings.senders.map(|json| text(&json)).transpose()?.map_or(std::ptr::null(), &mut keep),
        };
        let mut status = sys::TE_OK;
        // SAFETY: config and its texts live until the call has returned, the contexts as long as the tracker.
        let handle = Handle(unsafe { sys::te_tracker_new(&config, &mut status) });
        let failure = Error::check(status);
        start.set(if failure.is_ok() { Some(handle) } else { None });
        failure?;
        Ok(Tracker { handle, queues, workers })
    }

    /// Passes fixes on, and waits until those that become records are in the store.
    pub fn push(&self, fixes: &[Fix]) -> Result<(), Error> {
        // SAFETY: Fix has the layout of te_fix.
        Error::check(unsafe { sys::te_tracker_push(self.handle.0, fixes.as_ptr().cast(), fixes.len()) })
    }

    /// Sends all records now, and waits until each sink has none left or has failed.
    pub fn sync(&self) -> Result<(), Error> {
        // SAFETY: the handle is valid until drop.
        Error::check(unsafe { sys::te_tracker_sync(self.handle.0) })
    }

    /// The status as JSON, with the keys of `trackd status --json`.
    pub fn status(&self) -> Result<String, Error> {
        let mut status = sys::TE_OK;
        // SAFETY: the text belongs to the caller, who frees it once.
        unsafe {
            let json = sys::te_tracker_status(self.handle.0, &mut status);
            Error::check(status)?;
            let copy = CStr::from_ptr(json).to_string_lossy().into_owned();
            sys::te_string_free(json);
            Ok(copy)
        }
    }

    /// Ends the tracker: the sinks get a last delivery, the store is closed.
    pub fn stop(&self) -> Result<(), Error> {
        // SAFETY: the handle is valid until drop.
        Error::check(unsafe { sys::te_tracker_stop(self.handle.0) })
    }
}

impl Drop for Tracker {
    fn drop(&mut self) {
        // After the stop no delivery begins; the threads of the sinks still use the handle for the last ones.
        let _ = self.stop();
        self.queues.clear();
        for worker in self.workers.drain(..) {
            let _ = worker.join();
        }
        // SAFETY: freed once, and no other call is in progress.
        unsafe { sys::te_tracker_free(self.handle.0) }
    }
}

/// Delivers the batches of a sink, until the tracker is dropped.
fn work(
    deliveries: std::sync::mpsc::Receiver<(u64, Vec<Record>)>,
    mut deliver: Deliver,
    start: &Start,
) {
    for (token, records) in deliveries {
        // A panic would end the thread, and the sink would wait for ever.
        let outcome = catch_unwind(AssertUnwindSafe(|| deliver(&records))).unwrap_or_else(|_| Err(retry("panic".into())));
        // A delivery of records of an earlier run may come before the start has returned.
        let handle = match start.wait() {
            Some(Handle(handle)) => handle,
            None => return,
        };
        // A token that is no longer open is not an error: the records stay in the store.
        match outcome {
            Ok(settled) if settled > records.len() => {
                let reason = format!("deliver: expected 0 to {} records, not {}", records.len(), settled);
                fail(handle, token, &retry(reason))
            }
            // SAFETY: the tracker is freed after this thread has ended.
            Ok(settled) => unsafe { sys::te_tracker_settle(handle, token, settled) },
            Err(error) => fail(handle, token, &error),
        };
    }
}

fn retry(reason: String) -> DeliveryError {
    DeliveryError { recovery: Recovery::Retry(None), reason }
}

fn fail(handle: *mut sys::te_tracker, token: u64, error: &DeliveryError) -> sys::te_status {
    let reason = CString::new(error.reason.replace('\0', " ")).unwrap_or_default();
    let (recovery, wait) = match error.recovery {
        Recovery::Retry(wait) => (sys::TE_RETRY, wait.map_or(0, |wait| wait.as_millis().max(1) as u64)),
        Recovery::Smaller => (sys::TE_SMALLER, 0),
        Recovery::Rejected => (sys::TE_REJECTED, 0),
        Recovery::NeedsOperator => (sys::TE_NEEDS_OPERATOR, 0),
    };
    // SAFETY: the tracker is freed after this thread has ended.
    unsafe { sys::te_tracker_fail(handle, token, recovery, wait, reason.as_ptr()) }
}

use std::ffi::{CStr, CString};
use std::fmt;
use trackengine_sys as sys;

/// The kind of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// An argument that is out of its range.
    Argument,
    /// Settings with an unknown key or a value out of its range.
    Settings,
    /// A store that cannot be opened, read or written.
    Store,
    /// The tracker has been stopped.
    Stopped,
}

/// The reason why a call failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The kind.
    pub kind: Kind,
    /// The reason in words, without a position or a secret.
    pub message: String,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

impl Error {
    /// The error of a status other than `TE_OK`, on the thread of the call.
    pub(crate) fn last(status: sys::te_status) -> Error {
        let kind = match status {
            sys::TE_ERROR_SETTINGS => Kind::Settings,
            sys::TE_ERROR_STORE => Kind::Store,
            sys::TE_ERROR_STOPPED => Kind::Stopped,
            _ => Kind::Argument,
        };
        // SAFETY: the text is valid until the next error of this thread.
        let message = unsafe { CStr::from_ptr(sys::te_last_error()) };
        Error { kind, message: message.to_string_lossy().into_owned() }
    }

    pub(crate) fn check(status: sys::te_status) -> Result<(), Error> {
        if status == sys::TE_OK {
            Ok(())
        } else {
            Err(Error::last(status))
        }
    }
}

/// A text for the library.
pub(crate) fn text(value: &str) -> Result<CString, Error> {
    CString::new(value)
        .map_err(|_| Error { kind: Kind::Argument, message: "expected a text without zero bytes".into() })
}

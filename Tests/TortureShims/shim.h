// What the parts of the shim share. It is loaded into a program with LD_PRELOAD and sees the calls that the program makes
// on the files below one directory.
//
//   TORTURE_DIR     the watched directory, as a real path
//   TORTURE_LEDGER  a file outside it whose lines are noted among the calls
//   TORTURE_RECORD  the file that gets one entry for each call (record.c)
//   TORTURE_FAULT   ACTION:N:COUNT[:reads], what happens at the N-th call and the COUNT - 1 after it (fault.c)
//   TORTURE_START   a file without which calls are not counted and nothing happens at any (fault.c)
//   TORTURE_SWITCH  a file with an error number: while it holds one, every changing call fails with it (fault.c)
//   TORTURE_SYNC    "none" or "half": how many of the syncs do nothing (record.c)
//   TORTURE_COUNT   the file that gets the number of changing and of reading calls at the end (fault.c)
//   TORTURE_CLOCK   a file with the seconds that are added to the wall clock, the boot clock and the monotonic one (clock.c)
#ifndef TORTURE_SHIM_H
#define TORTURE_SHIM_H

#include <stddef.h>
#include <stdint.h>

// The kinds of entries, in the order of RecordedCall.Kind.
enum call_kind {
    CALL_ATTACH = 1,  // a file that was there before: path, id
    CALL_CREATE,      // path, id
    CALL_WRITE,       // id, offset, bytes
    CALL_TRUNCATE,    // id, length as offset
    CALL_SYNC,        // id
    CALL_RENAME,      // path, other path
    CALL_UNLINK,      // path
    CALL_SYNC_DIRECTORY,
    CALL_LINE,  // a line of the ledger: bytes
};

void record_call(enum call_kind kind, const char *path, const char *other, uint64_t id, uint64_t offset,
                 const void *bytes, size_t count);
// Whether this sync is one that does nothing.
int record_drops_sync(void);

// What to do instead of a call: nothing special (0), fail with errno set (-1), or do only half of it (1). May kill the
// process.
int fault_before_change(void);
int fault_before_read(void);

#endif

#pragma once

#include <stdbool.h>

/// Puts a layer between SQLite and the disk, for every database that is opened from now on. Without faults it changes nothing.
void bothy_faulty_sqlite_install(void);

/// From now on counts the calls that change files whose path holds `marker`, and makes call number `call` (from 0) fail: writes
/// and truncations as a full disk where `full`, everything else as a broken one. A negative `call` fails none.
/// Where `lasting`, every call after it fails, too.
void bothy_faulty_sqlite_arm(const char *marker, int call, bool full, bool lasting);

/// How many such calls there were since, and what the one that failed first was: "write", "sync", "truncate", "delete", "open",
/// or "" where none failed.
int bothy_faulty_sqlite_calls(void);
const char *bothy_faulty_sqlite_failed(void);

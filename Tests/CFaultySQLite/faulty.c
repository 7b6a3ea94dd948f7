#include "CFaultySQLite.h"

#include <pthread.h>
#include <sqlite3.h>
#include <string.h>

// A shim in the manner of SQLite's own test_vfs.c: each file holds the real one behind it.

typedef struct {
    sqlite3_file base;
    bool counts;
    sqlite3_file *real;
} faulty_file;

static sqlite3_vfs *real_vfs;
static sqlite3_vfs faulty_vfs;
static sqlite3_io_methods faulty_methods;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char marker[512];
static int calls, failing = -1;
static bool is_full, is_lasting;
static const char *failed = "";

static bool meets_fault(const char *call) {
    pthread_mutex_lock(&lock);
    bool meets = failing >= 0 && (is_lasting ? calls >= failing : calls == failing);
    if (meets && !*failed) failed = call;
    calls++;
    pthread_mutex_unlock(&lock);
    return meets;
}

static bool counts(const char *path) {
    pthread_mutex_lock(&lock);
    bool found = path && *marker && strstr(path, marker);
    pthread_mutex_unlock(&lock);
    return found;
}

#define FILE_OF(file) ((faulty_file *)(file))
#define REAL(file) (FILE_OF(file)->real)
#define CALL(method, ...) REAL(file)->pMethods->method(REAL(file), ##__VA_ARGS__)

static int file_close(sqlite3_file *file) { return CALL(xClose); }
static int file_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 at) { return CALL(xRead, bytes, count, at); }

static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 at) {
    if (FILE_OF(file)->counts && meets_fault("write")) {
        // Half of it arrives, as on a disk that fills up or breaks.
        CALL(xWrite, bytes, count / 2, at);
        return is_full ? SQLITE_FULL : SQLITE_IOERR_WRITE;
    }
    return CALL(xWrite, bytes, count, at);
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
    if (FILE_OF(file)->counts && meets_fault("truncate")) return SQLITE_IOERR_TRUNCATE;
    return CALL(xTruncate, size);
}

static int file_sync(sqlite3_file *file, int flags) {
    if (FILE_OF(file)->counts && meets_fault("sync")) return SQLITE_IOERR_FSYNC;
    return CALL(xSync, flags);
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) { return CALL(xFileSize, size); }
static int file_lock(sqlite3_file *file, int level) { return CALL(xLock, level); }
static int file_unlock(sqlite3_file *file, int level) { return CALL(xUnlock, level); }
static int file_reserved(sqlite3_file *file, int *result) { return CALL(xCheckReservedLock, result); }
static int file_control(sqlite3_file *file, int op, void *argument) { return CALL(xFileControl, op, argument); }
static int file_sector(sqlite3_file *file) { return CALL(xSectorSize); }
static int file_device(sqlite3_file *file) { return CALL(xDeviceCharacteristics); }

static int file_shm_map(sqlite3_file *file, int page, int size, int extend, void volatile **memory) {
    return CALL(xShmMap, page, size, extend, memory);
}

static int file_shm_lock(sqlite3_file *file, int offset, int count, int flags) { return CALL(xShmLock, offset, count, flags); }
static void file_shm_barrier(sqlite3_file *file) { CALL(xShmBarrier); }
static int file_shm_unmap(sqlite3_file *file, int remove) { return CALL(xShmUnmap, remove); }

static int vfs_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *out) {
    (void)vfs;
    faulty_file *faulty = FILE_OF(file);
    faulty->base.pMethods = 0;
    faulty->counts = counts(path);
    faulty->real = (sqlite3_file *)(faulty + 1);
    if (faulty->counts && (flags & SQLITE_OPEN_READWRITE) && meets_fault("open")) return SQLITE_CANTOPEN;
    int result = real_vfs->xOpen(real_vfs, path, faulty->real, flags, out);
    if (faulty->real->pMethods) faulty->base.pMethods = &faulty_methods;
    return result;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *path, int sync) {
    (void)vfs;
    if (counts(path) && meets_fault("delete")) return SQLITE_IOERR_DELETE;
    return real_vfs->xDelete(real_vfs, path, sync);
}

static void install(void) {
    real_vfs = sqlite3_vfs_find(0);
    faulty_vfs = *real_vfs;
    faulty_vfs.pNext = 0;
    faulty_vfs.zName = "bothy-faulty";
    faulty_vfs.szOsFile = (int)sizeof(faulty_file) + real_vfs->szOsFile;
    faulty_vfs.xOpen = vfs_open;
    faulty_vfs.xDelete = vfs_delete;
    // Version 2: shared memory for the write-ahead log, and no mapped reading, which would pass by the layer.
    faulty_methods = (sqlite3_io_methods){
        2, file_close, file_read, file_write, file_truncate, file_sync, file_size, file_lock, file_unlock, file_reserved,
        file_control, file_sector, file_device, file_shm_map, file_shm_lock, file_shm_barrier, file_shm_unmap, 0, 0,
    };
    sqlite3_vfs_register(&faulty_vfs, 1);
}

void bothy_faulty_sqlite_install(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
}

void bothy_faulty_sqlite_arm(const char *path, int call, bool full, bool lasting) {
    pthread_mutex_lock(&lock);
    strncpy(marker, path, sizeof marker - 1);
    calls = 0;
    failing = call;
    is_full = full;
    is_lasting = lasting;
    failed = "";
    pthread_mutex_unlock(&lock);
}

int bothy_faulty_sqlite_calls(void) {
    pthread_mutex_lock(&lock);
    int count = calls;
    pthread_mutex_unlock(&lock);
    return count;
}

const char *bothy_faulty_sqlite_failed(void) {
    pthread_mutex_lock(&lock);
    const char *call = failed;
    pthread_mutex_unlock(&lock);
    return call;
}

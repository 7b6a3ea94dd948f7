#define _GNU_SOURCE
#include "CShims.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/falloc.h>

int bothy_punch_hole(int file, int64_t offset, int64_t length) {
    return fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset, length) == 0 ? 0 : errno;
}

void bothy_start_writeback(int file, int64_t offset, int64_t length) {
    sync_file_range(file, offset, length, SYNC_FILE_RANGE_WRITE);
}

int64_t bothy_copy_range(int from, int64_t from_offset, int to, int64_t to_offset, int64_t length) {
    loff_t source = from_offset, destination = to_offset;
    ssize_t copied = copy_file_range(from, &source, to, &destination, (size_t)length, 0);
    return copied < 0 ? -errno : copied;
}

#else

int bothy_punch_hole(int file, int64_t offset, int64_t length) {
    (void)file, (void)offset, (void)length;
    return EOPNOTSUPP;
}

void bothy_start_writeback(int file, int64_t offset, int64_t length) { (void)file, (void)offset, (void)length; }

int64_t bothy_copy_range(int from, int64_t from_offset, int to, int64_t to_offset, int64_t length) {
    (void)from, (void)from_offset, (void)to, (void)to_offset, (void)length;
    return -EOPNOTSUPP;
}

#endif

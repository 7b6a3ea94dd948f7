#define _GNU_SOURCE
#include "CShims.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

/// The mode of a file for other content than it had. A person gave the set-user-ID and set-group-ID bits to that content; for a folder, the
/// latter only says whose group new files get.
static mode_t mode_for_other_content(mode_t mode) {
    return S_ISDIR(mode) ? mode & 07777 : mode & 01777;
}

#ifdef __linux__
#include <linux/falloc.h>
#include <sys/vfs.h>
#include <sys/sysmacros.h>

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

int bothy_rename_new(int from_folder, const char *from, int to_folder, const char *to) {
    return renameat2(from_folder, from, to_folder, to, RENAME_NOREPLACE) == 0 ? 0 : errno;
}

int bothy_open_unnamed(int folder) {
    int file = openat(folder, ".", O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
    return file < 0 ? -errno : file;
}

int bothy_exchange(int folder, const char *name, int other_folder, const char *other) {
    return renameat2(folder, name, other_folder, other, RENAME_EXCHANGE) == 0 ? 0 : errno;
}

/// What vouches for the content that a file had: it is no other content's. The kernel drops it from a file that is written in, too.
static int vouches_for_content(const char *attribute) {
    return strcmp(attribute, "security.capability") == 0 || strcmp(attribute, "security.ima") == 0
        || strcmp(attribute, "security.evm") == 0;
}

/// Best effort: a disk without extended attributes, or one that this process may not set, is no failure.
static void copy_extended_attributes(int from, int to) {
    ssize_t length = flistxattr(from, NULL, 0);
    if (length <= 0) return;
    char *names = malloc((size_t)length);
    if (!names) return;
    length = flistxattr(from, names, (size_t)length);
    for (char *name = names; length > 0 && name < names + length; name += strlen(name) + 1) {
        if (vouches_for_content(name)) continue;
        ssize_t size = fgetxattr(from, name, NULL, 0);
        char *value = size >= 0 ? malloc((size_t)size + 1) : NULL;
        if (!value) continue;
        size = fgetxattr(from, name, value, (size_t)size);
        if (size >= 0) (void)fsetxattr(to, name, value, (size_t)size, 0);
        free(value);
    }
    free(names);
}

int bothy_copy_attributes(int from, int to) {
    struct stat status, own;
    if (fstat(from, &status) != 0 || fstat(to, &own) != 0) return errno;
    if ((own.st_uid != status.st_uid || own.st_gid != status.st_gid) && fchown(to, status.st_uid, status.st_gid) != 0) {
        // The group alone, where the owner may not be given away.
        if (fchown(to, (uid_t)-1, status.st_gid) != 0) errno = 0;
    }
    copy_extended_attributes(from, to);
    return fchmod(to, mode_for_other_content(status.st_mode)) == 0 ? 0 : errno;
}

#ifndef STATX_ATTR_MOUNT_ROOT
#define STATX_ATTR_MOUNT_ROOT 0x2000
#endif

static struct bothy_moment moment(struct statx_timestamp time) {
    return (struct bothy_moment){time.tv_sec, (int32_t)time.tv_nsec};
}

int bothy_look_at(int folder, const char *name, int follow_links, struct bothy_look *look) {
    struct statx status;
    int flags = (follow_links ? 0 : AT_SYMLINK_NOFOLLOW) | (*name ? 0 : AT_EMPTY_PATH);
    if (statx(folder, name, flags, STATX_BASIC_STATS | STATX_BTIME, &status) != 0) return errno;
    look->device = makedev(status.stx_dev_major, status.stx_dev_minor);
    look->inode = status.stx_ino;
    look->size = (int64_t)status.stx_size;
    look->mode = status.stx_mode;
    look->links = status.stx_nlink;
    look->is_mount_root = (status.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
    look->modified = moment(status.stx_mtime);
    look->changed = moment(status.stx_ctime);
    look->born = moment(status.stx_btime);
    if (!(status.stx_mask & STATX_BTIME)) look->born.nanoseconds = -1;
    return 0;
}

int bothy_keeps_inodes(int folder) {
    struct statfs disk;
    if (fstatfs(folder, &disk) != 0) return -errno;
    switch ((unsigned long)disk.f_type) {
    case 0x4D44:      // FAT
    case 0x2011BAB0:  // exFAT
    case 0x65735546:  // FUSE: what it is made of says which numbers it gives, and most count anew
        return 0;
    default:
        return 1;
    }
}

int bothy_is_being_written(int file) {
    // A read lease is refused where somebody writes. Should one begin just now, the signal is one that does nothing.
    if (fcntl(file, F_SETSIG, SIGURG) != 0) return -1;
    if (fcntl(file, F_SETLEASE, F_RDLCK) == 0) return fcntl(file, F_SETLEASE, F_UNLCK), 0;
    if (errno != EAGAIN) return -1;
    // On a disk of the network the server's delegation or lock decides, no matter which process writes.
    struct statfs disk;
    if (fstatfs(file, &disk) != 0) return -1;
    switch ((unsigned long)disk.f_type) {
    case 0x6969:      // NFS
    case 0x517B:      // SMB
    case 0xFF534D42:  // CIFS
    case 0xFE534D42:  // SMB2
        return -1;
    default:
        return 1;
    }
}

#else

#include <sys/mount.h>
#include <sys/param.h>

int bothy_punch_hole(int file, int64_t offset, int64_t length) {
    (void)file, (void)offset, (void)length;
    return EOPNOTSUPP;
}

void bothy_start_writeback(int file, int64_t offset, int64_t length) { (void)file, (void)offset, (void)length; }

int64_t bothy_copy_range(int from, int64_t from_offset, int to, int64_t to_offset, int64_t length) {
    (void)from, (void)from_offset, (void)to, (void)to_offset, (void)length;
    return -EOPNOTSUPP;
}

int bothy_rename_new(int from_folder, const char *from, int to_folder, const char *to) {
    return renameatx_np(from_folder, from, to_folder, to, RENAME_EXCL) == 0 ? 0 : errno;
}

int bothy_open_unnamed(int folder) {
    (void)folder;
    return -EOPNOTSUPP;
}

int bothy_exchange(int folder, const char *name, int other_folder, const char *other) {
    return renameatx_np(folder, name, other_folder, other, RENAME_SWAP) == 0 ? 0 : errno;
}

int bothy_copy_attributes(int from, int to) {
    struct stat status;
    if (fstat(from, &status) != 0) return errno;
    return fchmod(to, mode_for_other_content(status.st_mode)) == 0 ? 0 : errno;
}

int bothy_look_at(int folder, const char *name, int follow_links, struct bothy_look *look) {
    struct stat status;
    int flags = follow_links ? 0 : AT_SYMLINK_NOFOLLOW;
    if ((*name ? fstatat(folder, name, &status, flags) : fstat(folder, &status)) != 0) return errno;
    look->device = (uint64_t)status.st_dev;
    look->inode = status.st_ino;
    look->size = status.st_size;
    look->mode = status.st_mode;
    look->links = status.st_nlink;
    look->is_mount_root = 0;
    look->modified = (struct bothy_moment){status.st_mtimespec.tv_sec, (int32_t)status.st_mtimespec.tv_nsec};
    look->changed = (struct bothy_moment){status.st_ctimespec.tv_sec, (int32_t)status.st_ctimespec.tv_nsec};
    look->born = (struct bothy_moment){status.st_birthtimespec.tv_sec, (int32_t)status.st_birthtimespec.tv_nsec};
    return 0;
}

int bothy_keeps_inodes(int folder) {
    struct statfs disk;
    if (fstatfs(folder, &disk) != 0) return -errno;
    return strcmp(disk.f_fstypename, "msdos") != 0 && strcmp(disk.f_fstypename, "exfat") != 0;
}

int bothy_is_being_written(int file) {
    (void)file;
    return -1;
}

#endif

/// A folder that is full again after this many rounds is one in which somebody keeps writing.
enum { most_rounds = 3 };

static int remove_all_in(DIR *folder) {
    int failure = 0;
    struct dirent *entry;
    while ((entry = readdir(folder))) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        int failed = bothy_remove_all(dirfd(folder), entry->d_name);
        if (failed && !failure) failure = failed;
    }
    return failure;
}

/// Opens a folder whose owner may do everything in it from then on, as far as this process can see to that.
static int open_to_empty(int folder, const char *name) {
    int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    int opened = openat(folder, name, flags);
    if (opened < 0 && errno == EACCES && fchmodat(folder, name, 0700, 0) == 0) opened = openat(folder, name, flags);
    if (opened < 0) return -1;
    struct stat status;
    // Where that is refused, so is the removal, and that is told.
    if (fstat(opened, &status) == 0 && (status.st_mode & 0700) != 0700) (void)fchmod(opened, (status.st_mode & 07777) | 0700);
    return opened;
}

int bothy_remove_all(int folder, const char *name) {
    if (unlinkat(folder, name, 0) == 0 || errno == ENOENT) return 0;
    int failure = errno;
    if (failure != EISDIR && failure != EPERM) return failure;
    struct bothy_look look;
    int unseen = bothy_look_at(folder, name, 0, &look);
    if (unseen) return unseen == ENOENT ? 0 : unseen;
    if (!S_ISDIR(look.mode)) return failure;
    // What is mounted there is somewhere else as well, and was never given away.
    if (look.is_mount_root) return EBUSY;
    int opened = open_to_empty(folder, name);
    if (opened < 0) return errno;
    DIR *stream = fdopendir(opened);
    if (!stream) {
        failure = errno;
        close(opened);
        return failure;
    }
    for (int round = 0; round < most_rounds; round++) {
        failure = remove_all_in(stream);
        if (failure) break;
        if (unlinkat(folder, name, AT_REMOVEDIR) == 0 || errno == ENOENT) break;
        failure = errno;
        if (failure != ENOTEMPTY && failure != EEXIST) break;
        rewinddir(stream);
    }
    closedir(stream);
    return failure;
}

#ifdef __GLIBC__
#include <malloc.h>

void bothy_share_one_heap(void) {
    mallopt(M_ARENA_MAX, 1);
    mallopt(M_TOP_PAD, 1 << 20);
    // glibc stops adapting these once the above is set, and would map and unmap each buffer of a file's size anew.
    mallopt(M_MMAP_THRESHOLD, 8 << 20);
    mallopt(M_TRIM_THRESHOLD, 16 << 20);
}
#else
void bothy_share_one_heap(void) {}
#endif

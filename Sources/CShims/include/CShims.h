#pragma once

#include "bounded.h"
#include "detached.h"
#include <stdint.h>
#include <sys/types.h>

/// Gives back the room of `length` bytes from `offset` on; they read as zeros from then on, and the file keeps its size.
/// Returns 0, or the errno; EOPNOTSUPP where the file system cannot.
int bothy_punch_hole(int file, int64_t offset, int64_t length);

/// Asks the kernel to begin writing these bytes to the disk, so that an fdatasync that follows waits less. A hint only.
void bothy_start_writeback(int file, int64_t offset, int64_t length);

/// Copies up to `length` bytes between two files, by reference where the file system can. Returns how many, or -errno.
int64_t bothy_copy_range(int from, int64_t from_offset, int to, int64_t to_offset, int64_t length);

/// Renames between two open folders and never replaces what is there: EEXIST. Returns 0, or the errno.
int bothy_rename_new(int from_folder, const char *from, int to_folder, const char *to);

/// Makes a file in an open folder that has no name, to be written and read; it goes with its descriptor where it is given none. Returns that, or
/// -errno.
int bothy_open_unnamed(int folder);

/// Exchanges what two names stand for, in one step. Returns 0, or the errno; EINVAL or ENOSYS where the disk cannot.
int bothy_exchange(int folder, const char *name, int other_folder, const char *other);

/// Gives `to`, which holds other content, the mode, and as far as this process may the owner, the ACL and the extended attributes, of `from`;
/// except for what was given to that one's content: set-user-ID and set-group-ID bits, capabilities, signatures.
/// Returns 0, or the errno of what matters: the mode.
int bothy_copy_attributes(int from, int to);

struct bothy_moment {
    int64_t seconds;
    /// -1 where it is not known.
    int32_t nanoseconds;
};

/// What a look without reading tells of a file.
struct bothy_look {
    uint64_t device, inode;
    int64_t size;
    uint32_t mode, links;
    /// Whether something is mounted there; 0 where the system does not tell.
    int is_mount_root;
    struct bothy_moment modified, changed, born;
};

/// Looks at a name in an open folder, or with an empty name at what is open itself. Returns 0, or the errno.
int bothy_look_at(int folder, const char *name, int follow_links, struct bothy_look *look);

/// Whether the inodes of an open folder's disk have the same numbers after it was mounted anew: 1 yes, 0 no, else minus the errno.
int bothy_keeps_inodes(int folder);

/// Deletes what has a name in an open folder, a folder with all below it, also where its folders are read-only; through no symbolic link, and
/// nothing that is mounted in it. What is not there is fine. Returns 0, or the first errno; what could be deleted is then.
int bothy_remove_all(int folder, const char *name);

/// Whether somebody has this file open to write in it: 1 yes, 0 no, -1 where the system does not tell.
/// The file must be open for reading alone.
int bothy_is_being_written(int file);

/// Lets all threads of a short command share one heap that grows by 1 MiB at a time: heaps of their own would grow by a page
/// at a time, a system call for each. Where threads allocate at the same moment for long, it costs more than it saves.
void bothy_share_one_heap(void);

#define _GNU_SOURCE
#include "bounded.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>

#ifdef __linux__

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// Landlock, by the kernel's numbers: the headers of a machine that builds may be older than the kernel of one that runs.
enum { landlock_create_ruleset = 444, landlock_add_rule = 445, landlock_restrict_self = 446 };
struct landlock_ruleset { uint64_t files, network, scopes; };
struct landlock_below { uint64_t allowed; int32_t parent; } __attribute__((packed));
enum { may_execute = 1 << 0, may_write = 1 << 1, may_read = 1 << 2, may_list = 1 << 3 };

int bothy_landlock_version(void) {
    long version = syscall(landlock_create_ruleset, NULL, 0, 1);
    return version > 0 ? (int)version : 0;
}

static int allow(int rules, const char *path, uint64_t allowed) {
    struct landlock_below below = {.allowed = allowed, .parent = open(path, O_PATH | O_CLOEXEC)};
    if (below.parent < 0) return errno == ENOENT ? 0 : errno;
    struct stat status;
    // What is no folder takes only what files have.
    if (!fstat(below.parent, &status) && !S_ISDIR(status.st_mode))
        below.allowed &= may_execute | may_write | may_read | (1 << 14);
    int failed = syscall(landlock_add_rule, rules, 1, &below, 0) ? errno : 0;
    close(below.parent);
    return failed;
}

/// No files but those; no TCP, no signals to others and no sockets of theirs, where the kernel is new enough.
static int close_in(const struct bothy_bounds *bounds, int version) {
    // What each version knew of: renaming across folders, cutting files, the network, devices, signals.
    uint64_t files = (1 << 13) - 1;
    if (version >= 2) files |= 1 << 13;
    if (version >= 3) files |= 1 << 14;
    if (version >= 5) files |= 1 << 15;
    struct landlock_ruleset ruleset = {.files = files};
    size_t size = sizeof ruleset.files;
    if (version >= 4) ruleset.network = 3, size = 2 * sizeof(uint64_t);
    if (version >= 6) ruleset.scopes = 3, size = 3 * sizeof(uint64_t);
    int rules = (int)syscall(landlock_create_ruleset, &ruleset, size, 0);
    if (rules < 0) return errno;
    int failed = 0;
    for (const char *const *path = bounds->readable; !failed && *path; path++)
        failed = allow(rules, *path, may_execute | may_read | may_list);
    if (!failed) failed = allow(rules, "/dev/null", files & (may_read | may_write | 1 << 14));
    if (!failed) failed = allow(rules, ".", files);
    if (!failed && syscall(landlock_restrict_self, rules, 0)) failed = errno;
    close(rules);
    return failed;
}

/// No sockets, no look into other processes, no kernel rings that do what calls may not.
static int deny_calls(void) {
#if defined(__x86_64__)
    enum { architecture = AUDIT_ARCH_X86_64 };
#elif defined(__aarch64__)
    enum { architecture = AUDIT_ARCH_AARCH64 };
#else
    enum { architecture = 0 };
    return 0;
#endif
#define DENY(number) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, architecture, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        // The second set of numbers that x86-64 has.
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        DENY(SYS_socket), DENY(SYS_socketpair), DENY(SYS_connect), DENY(SYS_ptrace), DENY(SYS_process_vm_readv),
        DENY(SYS_process_vm_writev), DENY(SYS_unshare), DENY(SYS_setns), DENY(SYS_mount), DENY(SYS_add_key),
        DENY(SYS_keyctl), DENY(SYS_bpf), DENY(SYS_perf_event_open), DENY(SYS_userfaultfd), DENY(425), DENY(426),
        DENY(427),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
#undef DENY
    struct sock_fprog program = {.len = sizeof filter / sizeof *filter, .filter = filter};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) ? errno : 0;
}

static int limit(int what, uint64_t most) {
    struct rlimit bound = {.rlim_cur = most, .rlim_max = most};
    return setrlimit(what, &bound) ? errno : 0;
}

static int give(int stream, const char *path, int flags) {
    int file = open(path, flags, 0600);
    if (file < 0 || (file != stream && dup2(file, stream) < 0)) return errno;
    if (file != stream) close(file);
    return 0;
}

/// In the child that shares the server's memory until it is the program: nothing here allocates, locks or returns to Swift.
static int become(
    const char *program, char *const arguments[], char *const environment[], const char *folder,
    const struct bothy_bounds *bounds, int landlock) {
    int failed = setpgid(0, 0) || chdir(folder) ? errno : 0;
    if (!failed) failed = give(0, "/dev/null", O_RDONLY);
    if (!failed) failed = give(1, "/dev/null", O_WRONLY);
    if (!failed) failed = give(2, "said", O_WRONLY | O_CREAT | O_APPEND);
    // close_range, from 3 on.
    if (!failed && syscall(436, 3, ~0U, 0)) failed = errno;
    if (!failed) failed = limit(RLIMIT_AS, bounds->memory);
    if (!failed) failed = limit(RLIMIT_FSIZE, bounds->written);
    if (!failed) failed = limit(RLIMIT_CPU, bounds->work);
    if (!failed) failed = limit(RLIMIT_NOFILE, 64);
    if (!failed) failed = limit(RLIMIT_CORE, 0);
    if (!failed && bounds->niceness) failed = setpriority(PRIO_PROCESS, 0, bounds->niceness) ? errno : 0;
    if (!failed && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) failed = errno;
    if (!failed && bounds->is_closed && landlock) failed = close_in(bounds, landlock);
    if (!failed && bounds->is_closed) failed = deny_calls();
    if (failed) return failed;
    for (int signal = 1; signal < NSIG; signal++) {
        struct sigaction usual = {.sa_handler = SIG_DFL};
        // The two that nobody may change say so.
        (void)sigaction(signal, &usual, NULL);
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execve(program, arguments, environment);
    return errno;
}

static int start(
    const char *program, char *const arguments[], char *const environment[], const char *folder,
    const struct bothy_bounds *bounds, pid_t *child) {
    volatile int failed = 0;
    int landlock = bothy_landlock_version();
    sigset_t all, before;
    sigfillset(&all);
    // A handler of the server's must not run in the child, which shares its memory.
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t process = vfork();
    if (process == 0) {
        failed = become(program, arguments, environment, folder, bounds, landlock);
        _exit(127);
    }
    int error = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (process < 0) return error;
    *child = process;
    if (!failed) return 0;
    while (waitpid(process, NULL, 0) < 0 && errno == EINTR) {}
    return failed;
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/// Whether the process ended by itself, before its time was over and before it was to stop.
static int waits_in_vain(int process, int milliseconds, int stop) {
    int64_t end = now() + milliseconds;
    for (;;) {
        struct pollfd watched[2] = {{.fd = process, .events = POLLIN}, {.fd = stop, .events = POLLIN}};
        int64_t left = end - now();
        if (left <= 0) return 1;
        int count = poll(watched, 2, (int)left);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return 1;
        return !(watched[0].revents & POLLIN);
    }
}

enum bothy_ending bothy_run_bounded(
    const char *program, char *const arguments[], char *const environment[], const char *folder,
    const struct bothy_bounds *bounds, int milliseconds, int stop, int *status) {
    pid_t child;
    *status = start(program, arguments, environment, folder, bounds, &child);
    if (*status) return bothy_not_started;
    int process = (int)syscall(SYS_pidfd_open, child, 0);
    int is_over = process < 0 || waits_in_vain(process, milliseconds, stop);
    if (process >= 0) close(process);
    // What it has started goes with it.
    kill(-child, SIGKILL);
    int ending = 0;
    while (waitpid(child, &ending, 0) < 0 && errno == EINTR) {}
    if (is_over) return bothy_stopped;
    *status = WIFEXITED(ending) ? WEXITSTATUS(ending) : WTERMSIG(ending);
    return WIFEXITED(ending) ? bothy_ended : bothy_killed;
}

#else

int bothy_landlock_version(void) { return 0; }

enum bothy_ending bothy_run_bounded(
    const char *program, char *const arguments[], char *const environment[], const char *folder,
    const struct bothy_bounds *bounds, int milliseconds, int stop, int *status) {
    (void)program, (void)arguments, (void)environment, (void)folder, (void)bounds, (void)milliseconds, (void)stop;
    *status = ENOTSUP;
    return bothy_not_started;
}

#endif

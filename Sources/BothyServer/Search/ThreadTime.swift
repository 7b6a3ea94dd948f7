import Foundation

/// What a thread has used of a processor: unlike time, it does not pass faster where others want the processor, too.
enum ThreadTime {
    /// Since this thread began.
    static func spent() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}

import Foundation

/// Notices that the folder an agent listens in was taken away: removed, moved, unmounted.
enum HomeWatch {
    /// Returns once the agent cannot be reached there any more. Nothing happens until something does.
    static func untilGone(_ place: AgentPlace) async {
        #if os(Linux)
            let descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
            // Without watches the agent still works: the next command finds it unreachable, and says so.
            guard descriptor >= 0 else { return await Cancellation.wait() }
            inotify_add_watch(descriptor, place.home, UInt32(IN_DELETE_SELF | IN_MOVE_SELF))
            inotify_add_watch(
                descriptor, place.folder, UInt32(IN_DELETE | IN_MOVED_FROM | IN_DELETE_SELF | IN_MOVE_SELF))
            let readings = readings(of: descriptor)
            // It may have gone before anybody watched.
            guard !isGone(place) else { return }
            for await _ in readings where isGone(place) { return }
        #else
            await Cancellation.wait()
        #endif
    }

    private static func isGone(_ place: AgentPlace) -> Bool {
        !place.isStillThere || access(place.reachableSocketPath, F_OK) != 0
    }

    /// A value whenever there was something to read; what it was does not matter.
    private static func readings(of descriptor: Int32) -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { stream in
            let source = DispatchSource.makeReadSource(fileDescriptor: descriptor)
            source.setEventHandler {
                var events = [UInt8](repeating: 0, count: 4096)
                while read(descriptor, &events, events.count) > 0 {}
                stream.yield()
            }
            source.setCancelHandler { close(descriptor) }
            let opened = OpenSource(source)
            stream.onTermination = { _ in opened.close() }
            source.resume()
        }
    }

    /// Unchecked because a source may be cancelled from any thread.
    private final class OpenSource: @unchecked Sendable {
        private let source: any DispatchSourceRead

        init(_ source: any DispatchSourceRead) { self.source = source }

        func close() { source.cancel() }
    }
}

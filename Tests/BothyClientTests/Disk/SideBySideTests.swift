import Synchronization
import Testing

@testable import BothyClient

/// Work on the disk that is shared by several threads.
@Suite struct SideBySideTests {
    @Test(arguments: [0, 1, 2, 7, 500]) func eachPartIsDoneOnceAndToldInItsPlace(count: Int) {
        let done = Mutex([Int]())
        let values = DiskWork.sideBySide(Array(0..<count)) { part in
            done.withLock { $0.append(part) }
            return part * part
        }
        #expect(values == (0..<count).map { $0 * $0 })
        #expect(done.withLock { $0.sorted() } == Array(0..<count))
    }

    /// Whoever shares its threads goes on alone, rather than wait for them.
    @Test func whatOthersAreBusyWithIsNotWaitedFor() {
        let values = DiskWork.sideBySide([1, 2, 3]) { outer in
            DiskWork.sideBySide([outer, outer + 1, outer + 2]) { $0 * 10 }
        }
        #expect(values == [[10, 20, 30], [20, 30, 40], [30, 40, 50]])
    }

    @Test(.timeLimit(.minutes(10))) func everyPartHearsThatNobodyWaits() async throws {
        let heard = Mutex([Bool]())
        let queue = DiskQueue("side by side")
        let (began, begins) = AsyncStream.makeStream(of: Void.self)
        let work = Task {
            try await queue.run {
                DiskWork.sideBySide([1, 2]) { _ in
                    begins.yield()
                    while !DiskWork.isCancelled {}
                    heard.withLock { $0.append(true) }
                }
            }
        }
        for await _ in began { break }
        work.cancel()
        _ = try await work.value
        #expect(heard.withLock { $0 } == [true, true])
    }
}

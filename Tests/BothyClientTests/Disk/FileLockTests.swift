import Foundation
import Testing

@testable import BothyClient

@Suite struct FileLockTests {
    /// `bothy status` looks whether an agent runs; an agent that started at that moment took the onlooker for another agent.
    @Test func whoOnlyLooksKeepsNobodyFromALock() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("lock")
        async let looks: Void = Self.look(at: path)
        for _ in 0..<3_000 { #expect(try FileLock.tryTake(path) != nil) }
        await looks
    }

    private static func look(at path: String) async { for _ in 0..<3_000 { _ = FileLock.isHeld(path) } }

    #if os(Linux)
        /// A program that is just being started has a copy of every descriptor until it runs.
        @Test func aLockIsLetGoOfThoughAProgramIsBeingStarted() throws {
            let folder = try TemporaryFolder()
            let path = folder.file("lock")
            var lock = try FileLock.tryTake(path)
            withExtendedLifetime(lock) {}
            let held = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").first { number in
                // Others come and go meanwhile.
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")) == path
            }
            let copy = dup(try #require(held.flatMap { Int32($0) }))
            defer { close(copy) }
            lock = nil
            #expect(try FileLock.tryTake(path) != nil)
        }
    #endif

    @Test func aLockIsHeldByOne() throws {
        let folder = try TemporaryFolder()
        var first = try FileLock.tryTake(folder.file("lock"))
        #expect(try first != nil && FileLock.tryTake(folder.file("lock")) == nil)
        #expect(FileLock.isHeld(folder.file("lock")))
        first = nil
        #expect(!FileLock.isHeld(folder.file("lock")))
        #expect(try FileLock.tryTake(folder.file("lock")) != nil)
    }
}

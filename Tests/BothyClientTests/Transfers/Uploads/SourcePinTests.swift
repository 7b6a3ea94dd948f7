import BothyClient
import BothyContent
import BothyContract
import Foundation
import Testing

/// Whether a file is the one that was seen: by a look where that tells, by its content where it was saved a moment before.
@Suite struct SourcePinTests {
    private let hash = SHA256Hasher.hash([1, 2, 3])

    private func facts(of folder: TemporaryFolder, _ bytes: [UInt8]) throws -> FileFacts {
        try #require(try SystemDisk().facts(of: folder.write("a", bytes)))
    }

    @Test func aLookIsEnoughWhereNothingElseWasWrittenDown() throws {
        let folder = try TemporaryFolder()
        let facts = try facts(of: folder, [1, 2, 3])
        let pin = SourcePin(facts)
        let isStill = pin.isStill(facts) {
            Issue.record("it was read")
            return hash
        }
        #expect(isStill)
        var (longer, another, later) = (pin, pin, pin)
        longer.size += 1
        another.inode += 1
        later.modifiedAt = later.modifiedAt.adding(milliseconds: 1)
        for other in [longer, another, later] { #expect(!other.isStill(facts) { hash }) }
    }

    @Test func whereItsContentWasWrittenDownThatDecides() throws {
        let folder = try TemporaryFolder()
        let facts = try facts(of: folder, [1, 2, 3])
        var pin = SourcePin(facts)
        pin.content = hash
        #expect(pin.isStill(facts) { hash })
        #expect(!pin.isStill(facts) { SHA256Hasher.hash([1, 2, 4]) })
        pin.size += 1
        let isLonger = pin.isStill(facts) {
            Issue.record("another size is another file")
            return hash
        }
        #expect(!isLonger)
    }

    /// An edit in the moment in which it was looked at leaves the size, the time and the inode as they were.
    @Test func anEditThatALookDoesNotTellIsNotReplaced() async throws {
        let server = try await FakeServer()
        let device = try await TestDevice(server.origin)
        let file = await server.drive.store([9, 9, 9, 9], name: "a")
        let out = try device.folder.write("out", [1, 2, 3])
        let before = try #require(try SystemDisk().facts(of: out))
        var order = DownloadOrder(file, destination: out)
        order.replaces = SourcePin(before)
        order.replaces?.content = hash
        await server.drive.fault("content", .refuse(.accountDisabled))
        let first = try await device.rest(device.home.transfers.download([order])[0])
        #expect(first.state == .failed)
        try Self.edit(out, [1, 2, 4], as: before)
        let after = try #require(try SystemDisk().facts(of: out))
        #expect(SourcePin(after) == SourcePin(before), "a look tells nothing")
        try await device.home.transfers.retry(first.id)
        let again = try await device.rest(first.id)
        #expect(again.failure?.code == .changedMeanwhile)
        #expect(try device.folder.read("out") == [1, 2, 4])
        try Self.edit(out, [1, 2, 3], as: before)
        try await device.home.transfers.retry(first.id)
        #expect(try await device.rest(first.id).state == .completed)
        #expect(try device.folder.read("out") == [9, 9, 9, 9])
        try await device.close()
    }

    /// In place, and with its time put back.
    private static func edit(_ path: String, _ bytes: [UInt8], as facts: FileFacts) throws {
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try handle.write(contentsOf: Data(bytes))
        try handle.close()
        let time = timespec(tv_sec: Int(facts.modifiedAt.seconds), tv_nsec: Int(facts.modifiedAt.nanoseconds))
        #expect(utimensat(AT_FDCWD, path, [time, time], 0) == 0)
    }
}

import Testing

@testable import BothyClient

/// Two downloads that each fit alone filled the disk together, and none was ever done.
@Suite struct PromisedRoomTests {
    private let room = PromisedRoom()

    /// Whether it fits a disk that has `free` bytes.
    private func promise(_ path: String, _ missing: Int64, of size: Int64, free: Int64, device: UInt64 = 1) throws
        -> Bool
    {
        let told = try room.promise(path, missing: missing, of: size, on: device) { free }
        return missing <= told.free - told.others
    }

    @Test func whatOneWasPromisedNoOtherIs() throws {
        #expect(try promise("a", 9, of: 9, free: 12))
        #expect(try !promise("b", 9, of: 9, free: 12))
        #expect(try promise("c", 3, of: 3, free: 12))
        #expect(try promise("b", 9, of: 9, free: 12, device: 2), "another disk has room of its own")
        room.release("a")
        #expect(try promise("d", 9, of: 9, free: 12))
    }

    @Test func whatGoesOnIsNoOtherToItself() throws {
        #expect(try promise("a", 9, of: 9, free: 12))
        #expect(try promise("a", 9, of: 9, free: 12))
    }

    @Test func whatIsTakenAlreadyIsNotToCome() throws {
        let folder = try TemporaryFolder()
        let file = try SystemDisk().openForWriting(folder.file("part"))
        try file.truncate(to: 1 << 20)
        #expect(try promise("a", 1 << 20, of: 1 << 20, free: 1 << 20))
        room.opened("a", file)
        #expect(try !promise("b", 1 << 19, of: 1 << 19, free: 1 << 20), "a hole is yet to be filled")
        let half = [UInt8](repeating: 1, count: 1 << 19)
        try half.withUnsafeBytes { try file.write($0, at: 0) }
        try file.sync()
        #expect(try promise("b", 1 << 18, of: 1 << 18, free: (1 << 19) + (1 << 18)))
    }

    @Test func aDiskThatDoesNotAnswerPromisesNothing() throws {
        #expect(throws: ClientFailure.self) {
            _ = try room.promise("a", missing: 1, of: 1, on: 1) { () throws(ClientFailure) -> Int64 in
                throw ClientFailure(.diskFailed, "No.")
            }
        }
        #expect(try promise("b", 9, of: 9, free: 9))
    }
}

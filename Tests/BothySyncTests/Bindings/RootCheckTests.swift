import BothyClient
import BothyContract
import Testing

@testable import BothySync

/// Whether a bound folder is the one that was bound.
@Suite struct RootCheckTests {
    private let folder: TemporaryFolder
    private let disk: SystemFolderDisk
    private let number: UInt64
    private var binding: Binding

    init() throws {
        folder = try TemporaryFolder()
        disk = SystemFolderDisk(path: folder.path)
        try disk.claim(mark: "m")
        let root = try #require(try disk.root())
        number = root.device
        binding = Binding(
            id: "b", localPath: folder.path, remoteId: "f0", remotePath: "/box", accountId: "a", mark: "m",
            root: root.stamp, deletions: .mirror, conflicts: .fork, exclude: [], createdAt: Timestamp(seconds: 5))
        binding.diskNumber = number
    }

    private func look(_ number: UInt64?) throws -> RootCheck {
        var binding = binding
        binding.diskNumber = number
        return try RootCheck.look(at: disk, binding: binding)
    }

    /// A restart, and mounting it anew, may give a disk another number.
    @Test func aFolderWithItsMarkIsTheSameWhateverTheNumberOfItsDisk() throws {
        for known in [number, number &+ 1, nil] {
            #expect(try look(known) == RootCheck(root: .same, diskNumber: number))
        }
    }

    /// A copy in its place has its mark too.
    @Test func aFolderOfAnotherInodeIsAnotherWhereADiskKeepsTheirNumbers() throws {
        var binding = binding
        binding.root.inode &+= 1
        #expect(try RootCheck.look(at: disk, binding: binding).root == .replaced, "nothing is known of its disk")
        binding.disk = .exact
        #expect(try RootCheck.look(at: disk, binding: binding).root == .replaced)
    }

    /// A stick that was plugged in again.
    @Test func aFolderOfAnotherInodeIsTheSameWhereItsDiskIsKnownToCountAnew() throws {
        var binding = binding
        binding.root.inode &+= 1
        binding.disk = DiskTraits(keepsInodes: false)
        #expect(try RootCheck.look(at: disk, binding: binding) == RootCheck(root: .same, diskNumber: number))
        binding.mark = "another"
        #expect(try RootCheck.look(at: disk, binding: binding).root == .replaced)
    }

    @Test func aFolderWithoutItsMarkOnAnotherDiskIsAMountPointWhoseDiskIsMissing() throws {
        try disk.disclaim(keepingTrash: false)
        #expect(try look(number &+ 1).root == .unmounted)
        #expect(try look(number).root == .replaced, "it was made anew on the same disk")
        #expect(try look(nil).root == .replaced, "nobody knows where it was")
    }

    @Test func whatIsNotThereHasVanished() throws {
        let away = SystemFolderDisk(path: folder.file("away"))
        #expect(try RootCheck.look(at: away, binding: binding) == RootCheck(root: .vanished))
    }
}

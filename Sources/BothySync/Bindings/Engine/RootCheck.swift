import BothyClient
import BothyContract

/// Whether a bound folder is the one that was bound: a vanished folder, an empty mount point or another folder under
/// its name looks as if a person had deleted everything.
struct RootCheck: Equatable {
    var root: Guard.LocalRoot
    /// The number of the disk that it is on; nil where there is no folder.
    var diskNumber: UInt64?

    static func look(at disk: any FolderDisk, binding: Binding) throws(ClientFailure) -> RootCheck {
        guard let root = try disk.root() else { return RootCheck(root: .vanished) }
        // A folder with its mark is known by that: a restart, or mounting it anew, gives its disk another number.
        guard let mark = try disk.mark() else {
            // What was made anew on the same disk is no mount point whose disk is missing.
            let isElsewhere = binding.diskNumber.map { $0 != root.device } ?? false
            return RootCheck(root: isElsewhere ? .unmounted : .replaced, diskNumber: root.device)
        }
        var isSame = mark == binding.mark
        // A copy has the mark too. Where numbers are given out anew, as on FAT, none says that it is one: on the disk that the folder is
        // known to be on, not on what stands in its place now.
        if isSame, !root.stamp.isSameInode(as: binding.root) { isSame = binding.disk?.keepsInodes == false }
        return RootCheck(root: isSame ? .same : .replaced, diskNumber: root.device)
    }
}

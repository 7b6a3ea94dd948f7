import BothyClient
import BothyContract

/// Whether a bound folder is the one that was bound: a vanished folder, an empty mount point or another folder under
/// its name looks as if a person had deleted everything.
enum RootCheck {
    static func look(at disk: any FolderDisk, binding: Binding) throws(ClientFailure) -> Guard.LocalRoot {
        guard let root = try disk.root() else { return .vanished }
        let isSame = root.stamp.isSameInode(as: binding.root)
        // What was made anew on the same disk is no mount point whose disk is missing.
        guard let mark = try disk.mark() else {
            return root.stamp.device == binding.root.device ? .replaced : .unmounted
        }
        return mark == binding.mark && isSame ? .same : .replaced
    }
}

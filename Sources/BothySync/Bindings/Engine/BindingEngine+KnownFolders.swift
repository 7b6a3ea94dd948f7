/// What is known of folders in the bound one beside what a look tells.
extension BindingEngine {
    /// Finds that out again: a folder may have been linked, moved or copied. No other folder is looked at before its mark is met
    /// in this one: one on a disk that does not answer must not stop the rest.
    func findKnownFolders() async throws -> KnownFolders {
        let (markAt, rootAt) = (environment.mark, environment.root)
        let (path, id, own) = (binding.localPath, binding.id, binding.mark)
        let all = try await store.all()
        // One that lies in this folder is where it belongs.
        let others = all.filter { $0.id != id && !$0.localPath.lies(below: path) }
        let mounts = try await store.mounts(of: id)
        knownFolders = KnownFolders(
            mounts: mounts,
            isCopy: { (mark: String, met: DiskFacts) -> Bool in
                if mark == own { return true }
                guard let other = others.first(where: { $0.mark == mark }), markAt(other.localPath) == mark,
                    let root = rootAt(other.localPath)
                else { return false }
                // The other itself, mounted here, is synced at its own place alone.
                return !met.isSameFolder(as: root)
            })
        return knownFolders
    }

    /// Written down before anything is done: what is unmounted after that is known to have been there.
    func noteMounts(_ look: Look) async throws {
        let mounts = look.local.mounts(after: knownFolders.mounts, in: look.synced)
        guard mounts != knownFolders.mounts else { return }
        knownFolders.mounts = mounts
        try await store.note(mounts: mounts, of: binding.id)
    }
}

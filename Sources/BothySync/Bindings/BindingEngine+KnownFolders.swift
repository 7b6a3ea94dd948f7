/// What is known of folders in the bound one beside what a look tells.
extension BindingEngine {
    /// Finds that out anew: a folder may have been tied, moved or copied.
    func findKnownFolders() async throws -> KnownFolders {
        let (mark, path, id) = (environment.mark, binding.localPath, binding.id)
        let all = try await store.all()
        // One that lies in this folder is where it belongs.
        let others = all.filter { $0.id != id && !$0.localPath.lies(below: path) }
        let elsewhere = try await queues.run { others.filter { mark($0.localPath) == $0.mark }.map(\.mark) }
        knownFolders = KnownFolders(
            mounts: try await store.mounts(of: id), marksElsewhere: Set(elsewhere + [binding.mark]))
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

/// What lies beside something touched takes part by its name alone, so it is asked for by name: one change in a folder of
/// a hundred thousand files looks at none of the others.
extension QuestionPart {
    /// Lookups of single names; what would take more opens the folders whole.
    private static let mostLookups = 512

    mutating func lookBeside(_ node: RemoteTree.ID) {
        names.insert(whole.remote.tree.name(of: node))
        if let parent = whole.remote.tree.parent(of: node) { note(parent) }
    }

    mutating func lookBeside(_ node: LocalTree.ID) {
        let name = whole.local.tree.name(of: node)
        names.insert(name)
        if let there = NameMapping.remoteName(for: name, on: whole.policy.disk) { names.insert(there) }
        if let parent = whole.local.tree.parent(of: node) { note(parent) }
    }

    mutating func lookBeside(_ node: SyncedTree.ID) {
        names.insert(whole.synced.tree.name(of: node))
        names.insert(whole.synced[node].remoteName)
        if let parent = whole.synced.tree.parent(of: node) { note(parent) }
    }

    // A folder, on every tree that has it.

    private mutating func note(_ folder: RemoteTree.ID) {
        guard besideRemote.insert(folder).inserted else { return }
        takeIn(folder)
        if let agreed = whole.synced.node(whole.remote[folder].id) { note(agreed) }
        if let here = whole.local.node(at: whole.remote.tree.place(of: folder)) { note(here) }
    }

    private mutating func note(_ folder: LocalTree.ID) {
        guard besideLocal.insert(folder).inserted else { return }
        takeIn(folder)
        if let agreed = agreed(folder) { note(agreed) }
        if let there = whole.remote.tree.node(at: whole.local.tree.place(of: folder)) { note(there) }
    }

    private mutating func note(_ folder: SyncedTree.ID) {
        guard besideSynced.insert(folder).inserted else { return }
        takeIn(folder)
        if let there = there(folder) { note(there) }
        if let here = here(folder) { note(here) }
    }

    // MARK: - By name

    /// Any of the names may come to any of the folders: what was moved is known again only later.
    mutating func takeInBeside() {
        let folders = besideRemote.count + besideLocal.count + besideSynced.count
        // A disk that changes names makes others of them than can be told here.
        guard whole.policy.disk.holdsEveryName, folders * names.count * names.count <= Self.mostLookups else {
            return openBeside()
        }
        let (device, day) = (whole.policy.deviceName, whole.policy.day)
        for name in names {
            _ = takeIn(named: name)
            takeInGiven { GivenNames.numbered(name, attempt: $0) }
            takeInGiven { GivenNames.conflict(name, device: device, day: day, attempt: $0) }
        }
    }

    private mutating func openBeside() {
        for folder in besideRemote { open(folder) }
        for folder in besideLocal { open(folder) }
        for folder in besideSynced { open(folder) }
    }

    /// Up to as many free ones as there may be others in the plan that want one.
    private mutating func takeInGiven(_ name: (Int) -> NodeName) {
        var (attempt, free) = (0, 0)
        while free <= names.count {
            if !takeIn(named: name(attempt)) { free += 1 }
            attempt += 1
        }
    }

    /// - Returns: whether any of the folders has it.
    private mutating func takeIn(named name: NodeName) -> Bool {
        let there = besideRemote.compactMap { whole.remote.tree.child(name, of: $0) }
        let here = besideLocal.compactMap { whole.local.tree.child(name, of: $0) }
        let agreed = besideSynced.compactMap { whole.synced.tree.child(name, of: $0) }
        for node in there { takeIn(node) }
        for node in here { takeIn(node) }
        for node in agreed { takeIn(node) }
        return !there.isEmpty || !here.isEmpty || !agreed.isEmpty
    }
}

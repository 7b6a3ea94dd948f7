import BothyClient
import BothyContract
import Synchronization

/// Looking at both sides: at everything, or, where it is known what changed, at that alone.
extension BindingEngine {
    /// Both sides and what they agreed on, and what is to be done about it.
    package struct Look: Sendable {
        var sight: Sight
        package var plan: Plan
        /// Whether everything was looked at.
        var isWhole: Bool
        /// Whether the next look may stand on this one.
        var isKept: Bool
        /// What a person had agreed to of the ignore files, before this look.
        var heeded: [Place: String]

        var scene: ActionPerformer.Scene { sight.scene }
        var review: RulesReview { sight.review }
        package var remote: RemoteTree { sight.scene.remote }
        package var local: LocalTree { sight.scene.local }
        package var synced: SyncedTree { sight.scene.synced }

        /// Where both sides last agreed that a file of the server's is; nil where they never did.
        package func placeAgreed(_ remoteId: String) -> Place? {
            synced.node(remoteId).map { synced.tree.place(of: $0) }
        }
    }

    /// Looks at everything.
    ///
    /// - Throws: `ClientFailure`; a folder that is not as it was is a sighting of the plan's, and no failure.
    package func look() async throws -> Look {
        let previous = sight?.scene.local ?? lastLocal
        (sight, lastLocal) = (nil, previous)
        try await requireOwner()
        let state = try await cache.pull()
        cursor = state.cursor
        cacheLack = .nothing
        try await noticeLink(state.link)
        let agreed = try await store.syncedTree(of: binding)
        let root = try await rootNow()
        let traits = try await diskTraits(of: root)
        let (disk, now, own) = (disk, environment.clock.now(), binding.rules)
        let heeded = try await store.heededRules(of: binding.id)
        let restless = pace.restless(at: environment.clock.uptime())
        let known = try await findKnownFolders()
        let (seen, (files, remote)) = try await queues.run {
            guard root == .same else {
                return FolderScan.Seen(local: LocalTree(), rules: own, review: RulesReview(heeded))
            }
            var scan = try FolderScan(
                disk, rules: own, heeded: heeded, synced: agreed, previous: previous, now: now, traits: traits)
            (scan.restless, scan.knownFolders) = (restless, known)
            return try scan.run()
        } beside: {
            let files = try await cache.files(below: binding.remoteId)
            return (files, RemoteTree(rootId: binding.remoteId, files: files ?? []))
        }
        if root == .same { lastLocal = seen.local }
        var scene = ActionPerformer.Scene(
            remote: remote, local: seen.local, synced: agreed, cursor: state.cursor, lived: try await lived())
        (scene.clock, scene.disk) = (seen.clock, traits)
        try await take(seen.proven, into: &scene)
        var sight = Sight(scene: scene, seen: seen, above: try await noticeMoves())
        var told = try await circumstances(sight, root)
        told.isRemoteRootThere = files != nil
        let made = try await plan(question(sight)) { Planner.plan($0, under: told) }.noting(seen)
        let plan = try await holdingInUse(made, in: sight)
        sight.unsettled = plan.unsettled
        untold = .nothing
        // What stands in the folder's place is not watched, and what is watched goes on being so: it may come back.
        found = root == .same ? .all(seen.local) : .new([])
        return Look(
            sight: sight, plan: plan, isWhole: true,
            isKept: root == .same && plan.unsettled != nil && remote.misfits.isEmpty && !binding.isLinking,
            heeded: heeded)
    }

    /// Looks at two sides that are not linked, as linking them would. Nothing is written down, here or there.
    package func preview() async throws -> Look {
        try await preview(of: binding.remoteId, from: store.treeToTie(binding))
    }

    /// Looks at two sides as linking them, for the first time or again, would. Nothing is written down, here or there.
    ///
    /// - Parameters:
    ///   - remoteId: the folder on the server; the id of none where that is yet to be made.
    ///   - synced: what is agreed on of the two still.
    ///   - places: of what stays here unsynced, what would be sent again.
    func preview(of remoteId: String, from synced: SyncedTree, sending places: [Place] = []) async throws -> Look {
        let before = binding
        defer { binding = before }
        (binding.remoteId, binding.isLinking) = (remoteId, true)
        let state = try await cache.pull()
        let files = try await cache.files(below: remoteId) ?? []
        let (disk, now, own, traits) = (disk, environment.clock.now(), binding.rules, knownTraits)
        let heeded = try await store.heededRules(of: binding.id)
        let known = try await findKnownFolders()
        let seen = try await queues.run {
            guard try disk.root() != nil else { return FolderScan.Seen(local: LocalTree(), rules: own) }
            var scan = try FolderScan(
                disk, rules: own, heeded: heeded, synced: synced, previous: nil, now: now, traits: traits)
            scan.knownFolders = known
            return try scan.run()
        }
        let scene = ActionPerformer.Scene(
            remote: RemoteTree(rootId: remoteId, files: files), local: seen.local, synced: synced,
            cursor: state.cursor, lived: 0)
        let sight = Sight(scene: scene, seen: seen, above: [])
        var question = try await question(sight)
        for place in places { question.policy.choices[place] = .sendAgain }
        let plan = Planner.plan(question).noting(seen)
        return Look(sight: sight, plan: plan, isWhole: true, isKept: false, heeded: heeded)
    }

    /// In another account's drive the folder is not to be found, and must not be made anew from here: these files are none of that account's.
    private func requireOwner() async throws {
        // Where nobody is signed in, the request to the server says so.
        guard let owner = try await performer.drive.owner(), !owner.isAccount(binding.accountId) else { return }
        throw ClientFailure(
            .refused,
            "“\(binding.localPath)” is synced with another account’s folder, and that account is not signed in.",
            remedy:
                "Sign in to that account (“bothy logout”, then “bothy login”), or unlink the folder with “bothy unsync”: all files stay."
        )
    }

    /// Looks at what has changed since the last look, where that is known.
    func lookOn() async throws -> Look {
        guard var sight, sight.unsettled != nil, !untold.isEverything, !binding.isLinking else {
            return try await look()
        }
        self.sight = nil
        let news: RemoteNews?
        let root: Guard.LocalRoot
        do {
            try await requireOwner()
            news = try await remoteNews(after: sight.scene.cursor)
            root = try await rootNow()
        } catch {
            // Nothing has been taken in: the next look goes on from here.
            self.sight = sight
            throw error
        }
        guard let news, root == .same, sight.above.isDisjoint(with: news.files.keys),
            try await takeIn(news, &sight), try await takeInWhatIsHere(&sight)
        else {
            lastLocal = sight.scene.local
            return try await look()
        }
        sight.scene.lived = try await lived()
        sight.forgetOwn()
        let told = try await circumstances(sight, root)
        let seen = FolderScan.Seen(local: sight.scene.local, rules: sight.rules, review: sight.review)
        let touched = sight.unsettled ?? .nothing
        let made = try await plan(question(sight)) { Planner.plan($0, about: touched, under: told) }.noting(seen)
        let plan = try await holdingInUse(made, in: sight)
        sight.unsettled = plan.unsettled
        return Look(
            sight: sight, plan: plan, isWhole: false, isKept: plan.unsettled != nil, heeded: sight.review.heeded)
    }

    /// What was looked at is where the next look goes on from.
    func keep(_ look: Look) {
        guard look.isKept else { return }
        // Kept in one place alone, it is changed in place.
        lastLocal = nil
        var sight = look.sight
        sight.busyFiles = Set(look.plan.standing.filter { $0.value == .held(.beingWritten) }.keys)
        self.sight = sight
    }

    /// Folders that nobody has begun to watch yet.
    package func toWatch() -> FoldersToWatch {
        defer { found = .new([]) }
        return found
    }

    /// Seconds after which what was left alone may be quiet: a file that was still being written, or what had just been deleted.
    /// nil where nothing was.
    package func secondsToQuiet() -> Double? {
        // As of the last look: however long ago that was, what it left is to be looked at again.
        [secondsToQuietFiles(), lulls?.secondsLeft].compactMap(\.self).min()
    }

    private func secondsToQuietFiles() -> Double? {
        guard let busy = sight?.busyFiles, !busy.isEmpty else { return nil }
        let isSavedOften = !pace.restless(at: environment.clock.uptime()).isDisjoint(with: busy)
        return isSavedOften ? SavePace.quiet : Double(FolderScan.quietTime)
    }

    // MARK: - What is new

    /// After its own actions a pass knows what has become of them. What others do meanwhile is the next one's.
    private func remoteNews(after cursor: String) async throws -> RemoteNews? {
        if let answered {
            self.answered = nil
            return RemoteNews(files: answered.mapValues { $0 }, cursor: cursor, lack: .ownChanges)
        }
        return try await RemoteNews.read(performer.drive, after: cursor)
    }

    private func takeIn(_ news: RemoteNews, _ sight: inout Sight) async throws -> Bool {
        guard let ids = sight.scene.remote.take(news.files) else { return false }
        if !news.files.isEmpty || news.cursor != cursor { cacheLack = max(cacheLack, news.lack) }
        sight.scene.cursor = news.cursor
        cursor = news.cursor
        sight.unsettled?.ids.formUnion(ids)
        return true
    }

    private func takeInWhatIsHere(_ sight: inout Sight) async throws -> Bool {
        let (places, suspect) = changedPlaces(&sight)
        untold = .nothing
        guard !places.isEmpty else { return true }
        let local = Handover(sight.scene.local)
        sight.scene.local = LocalTree()
        let (disk, synced, now) = (disk, sight.scene.synced, environment.clock.now())
        let (rules, review, traits) = (sight.rules, sight.review, knownTraits)
        let restless = pace.restless(at: environment.clock.uptime())
        let known = knownFolders
        let seen = try await queues.run {
            var scan = try FolderScan(
                disk, rules: rules, review: review, synced: synced, over: local.take() ?? LocalTree(), now: now,
                traits: traits)
            (scan.restless, scan.knownFolders) = (restless, known)
            return try scan.run(over: places)
        }
        sight.scene.local = seen.local
        guard let changed = seen.places else { return false }
        sight.scene.clock = seen.clock
        try await take(seen.proven, into: &sight.scene)
        sight.unsettled?.places.formUnion(changed)
        sight.note(seen.newFolders)
        find(Set(seen.newFolders).union(suspect), in: seen.local)
        return true
    }

    /// Writes down that the stamps of some files vouch for what was agreed on by now.
    private func take(_ proven: Set<String>, into scene: inout ActionPerformer.Scene) async throws {
        guard !proven.isEmpty else { return }
        for id in proven { scene.synced.update(id) { $0.local?.isRecent = false } }
        try await store.vouch(for: proven.compactMap { scene.synced.facts($0) }, of: binding.id)
    }

    /// - Returns: what of which folders is looked at, and the folders of which nobody may tell any more: one that was deleted and
    ///   made anew at once may have the inode of the old one, and is not watched. Of such a one its end was told, and no name in it.
    private func changedPlaces(_ sight: inout Sight) -> (places: [Place: NamesInFolder], suspect: Set<Place>) {
        var places = sight.places(of: untold.news)
        places.formUnion(untold.places)
        for file in sight.busyFiles { places.insert(file) }
        for folder in unwatched { places[folder] = .all }
        let suspect = Set(places.filter { $0.value == .all }.keys)
        // A disk that takes several names for one lists them its own way.
        let tellsNamesApart = (rules.disk ?? binding.disk)?.holdsEveryName ?? false
        return (tellsNamesApart ? places : places.mapValues { _ in .all }, suspect)
    }

    /// Of what happens in them nobody tells yet: what has gone from elsewhere may be there by now.
    private var unwatched: [Place] {
        guard case .new(let folders) = found else { return [] }
        return folders.map(\.place)
    }

    private func find(_ folders: Set<Place>, in local: LocalTree) {
        guard case .new(let waiting) = found else { return found = .all(local) }
        let new = folders.compactMap { place in local.facts(at: place).map { (place: place, inode: $0.stamp.inode) } }
        found = .new(waiting.filter { !folders.contains($0.place) } + new)
    }

    // MARK: - What a plan stands on

    private func rootNow() async throws -> Guard.LocalRoot {
        var known = binding
        known.disk = rules.disk ?? binding.disk
        let (disk, now) = (disk, known)
        let seen = try await queues.run { try RootCheck.look(at: disk, binding: now) }
        if seen.root == .same, seen.diskNumber != binding.diskNumber {
            // It may be another disk, to which the folder was copied. Its number is written down when it was tried out.
            isOnNewDisk = binding.diskNumber != nil && rules.disk == nil
            binding.diskNumber = seen.diskNumber
            if !isOnNewDisk { try await store.write(.diskNumber, of: binding) }
        }
        return seen.root
    }

    private func lived() async throws -> Int64 {
        try await store.livedSeconds(uptime: environment.clock.uptime())
    }

    private func circumstances(_ sight: Sight, _ root: Guard.LocalRoot) async throws -> Guard.Circumstances {
        var told = Guard.Circumstances(
            lately: try await store.lostLately(of: binding.id, lived: sight.scene.lived), localRoot: root,
            isRemoteRootThere: true, confirmed: confirmed, limits: rules.limits)
        told.lulls = lulls?.at(environment.clock.uptime())
        told.isLinkTakenBack = binding.isLinkTakenBack
        told.isNewlyTied = binding.passedAt == nil
        told.held = binding.waits.held
        return told
    }

    private func question(_ sight: Sight) async throws -> Planner.Question {
        var question = Planner.Question(
            remote: sight.scene.remote, local: sight.scene.local, synced: sight.scene.synced,
            policy: try await policy(), rules: sight.rules)
        if binding.isLinking { question.memory = try await memory(beside: sight.scene.remote) }
        return question
    }

    /// Where the bound folder is on the server now is written down with the binding.
    ///
    /// - Returns: it, and the folders above it.
    private func noticeMoves() async throws -> Set<String> {
        var above = Set<String>()
        var names = [String]()
        var next: String? = binding.remoteId
        while let id = next, above.insert(id).inserted {
            guard id != File.rootId, let file = try await cache.file(id), file.trashedAt == nil else { break }
            names.insert(file.name, at: 0)
            next = file.parentId ?? File.rootId
        }
        let path = "/" + names.joined(separator: "/")
        if above.contains(File.rootId), path != binding.remotePath {
            binding.remotePath = path
            try await store.write(.remotePath, of: binding)
        }
        return above
    }
}

/// Gives a value to another thread whole, so that it is changed in place there and not copied.
private final class Handover<Value: Sendable>: Sendable {
    private let value: Mutex<Value?>

    init(_ value: consuming Value) { self.value = Mutex(value) }

    func take() -> Value? {
        value.withLock { value in
            defer { value = nil }
            return value
        }
    }
}

import BothyClient
import BothyContent
import BothyContract

/// What is to be done about a file's content, both sides having it.
enum ContentStep: Equatable {
    case record(Reason)
    case download(Reason)
    case upload(Reason)
    case touchHere(modifiedAt: Timestamp, executable: Bool)
    case touchThere(modifiedAt: Timestamp, executable: Bool)
    /// Both versions are kept; one of them gets the conflict's name, or a number where they never had a version in common.
    case fork(isNumbered: Bool)
    case merge
    /// A person is to choose.
    case ask
    /// Nothing is done now.
    case hold(HoldReason)
}

extension Comparison {
    /// Whether an action may be due for an item that is kept.
    func isBusy(_ index: Int) -> Bool {
        let item = items[index]
        guard item.remote != nil, item.local != nil, let agreed = item.synced, !item.isRebound else { return true }
        if !isAtPlaceThere(index) || !isAtPlaceHere(index) || !isAgreedPlace(index, agreed) { return true }
        return !contentSteps(index).isEmpty
    }

    /// Whether what was agreed on says the place where it shall be.
    func isAgreedPlace(_ index: Int, _ agreed: SyncedTree.ID) -> Bool {
        syncedFolder(of: index) == items[index].folder && synced.tree.name(of: agreed) == items[index].localName
            && synced[agreed].remoteName == items[index].remoteName
    }

    /// In their order. Empty at rest.
    func contentSteps(_ index: Int) -> [ContentStep] {
        guard let there = items[index].remote.map({ remote[$0] }) ?? items[index].trashed,
            let here = items[index].local.map({ local[$0] })
        else {
            return []
        }
        let agreed = items[index].synced.map { synced[$0] }
        if there.kind == .folder { return folderSteps(here, agreed) }
        if here.hash == there.checksum { return stepsForSame(here, there, agreed) }
        if let agreed, here.hash == agreed.checksum, !serverWentBack(index) {
            if there.size == 0, here.stamp.size > 0, holding[.here] == .guarded { return [.hold(.guarded)] }
            return executableFirst(here, there, agreed) + [.download(.editedThere)]
        }
        if serverWentBack(index) { return [.upload(.serverWentBack)] }
        if let agreed, there.checksum == agreed.checksum {
            if here.stamp.size == 0, there.size > 0, holding[.onTheServer] == .guarded { return [.hold(.guarded)] }
            return executableFirst(here, there, agreed) + [.upload(.editedHere)]
        }
        return [conflictStep(local.tree.place(of: items[index].local!), here, there, agreed)]
    }

    private func folderSteps(_ here: LocalFacts, _ agreed: SyncedFacts?) -> [ContentStep] {
        guard let agreed else { return [.record(.sameOnBothSides)] }
        if let mark = agreed.mark { return [.record(reasonToUnmark(mark))] }
        let isSame = agreed.local.map { policy.disk.isSameInode($0, here.stamp) } ?? false
        return isSame ? [] : [.record(.identityChanged)]
    }

    private func reasonToUnmark(_ mark: SyncedMark) -> Reason { mark == .leftOut ? .sameOnBothSides : .backOnTheServer }

    // MARK: - The same content

    private func stepsForSame(_ here: LocalFacts, _ there: RemoteFacts, _ agreed: SyncedFacts?) -> [ContentStep] {
        let takesTheirs = ContentStep.touchHere(modifiedAt: there.modifiedAt, executable: there.executable)
        let isAlike =
            here.stamp.modifiedAt == there.modifiedAt && (!keepsExecutable || here.executable == there.executable)
        guard let agreed, agreed.checksum == there.checksum, agreed.local != nil else {
            let reason = agreed == nil ? Reason.sameOnBothSides : .editedAlike
            return isAlike ? [.record(reason)] : [.record(reason), takesTheirs]
        }
        let changedThere =
            agreed.remoteModifiedAt != there.modifiedAt
            || (keepsExecutable && agreed.remoteExecutable != there.executable)
        let changedHere =
            agreed.local?.modifiedAt != here.stamp.modifiedAt
            || (keepsExecutable && agreed.localExecutable != here.executable)
        if changedThere, !isAlike { return [takesTheirs] }
        if changedHere, !isAlike {
            let executable = keepsExecutable ? here.executable : there.executable
            return [.touchThere(modifiedAt: here.stamp.modifiedAt, executable: executable)]
        }
        if let mark = agreed.mark { return [.record(reasonToUnmark(mark))] }
        if changedThere || changedHere { return [.record(.editedAlike)] }
        let isSame = agreed.local.map { policy.disk.isSame($0, here.stamp) } ?? false
        return isSame ? [] : [.record(.identityChanged)]
    }

    /// Where one side changed the content and the other the executable bit: content takes its own bit along, so the
    /// other's goes first.
    private func executableFirst(_ here: LocalFacts, _ there: RemoteFacts, _ agreed: SyncedFacts) -> [ContentStep] {
        guard keepsExecutable, here.executable != there.executable else { return [] }
        let isEditedHere = there.checksum == agreed.checksum
        if isEditedHere, here.executable == agreed.localExecutable {
            return [.touchHere(modifiedAt: here.stamp.modifiedAt, executable: there.executable)]
        }
        if !isEditedHere, there.executable == agreed.remoteExecutable {
            return [.touchThere(modifiedAt: there.modifiedAt, executable: here.executable)]
        }
        return []
    }

    private var keepsExecutable: Bool { policy.disk.keepsExecutable }

    // MARK: - Conflicts

    private func conflictStep(
        _ place: Place, _ here: LocalFacts, _ there: RemoteFacts, _ agreed: SyncedFacts?
    ) -> ContentStep {
        if case .keep(let side, here.hash, there.checksum) = policy.choices[place] {
            switch side {
            case .mine: return .upload(.conflictMineChosen)
            case .theirs: return .download(.conflictTheirsChosen)
            case .both: return .fork(isNumbered: agreed == nil)
            // Where they cannot be merged, nothing is decided.
            case .merge:
                let step = mergeOrFork(here, there, agreed)
                return step == .merge ? .merge : .ask
            }
        }
        switch policy.conflicts(about: there.id, in: remote) {
        case .ask: return .ask
        case .fork: return .fork(isNumbered: agreed == nil)
        case .lastWriteWins:
            // What waits for more deletions waits for them alone.
            return holding[.onTheServer] == .guarded ? .hold(.guarded) : .upload(.conflictLastWrite)
        case .merge: return mergeOrFork(here, there, agreed)
        }
    }

    private func mergeOrFork(_ here: LocalFacts, _ there: RemoteFacts, _ agreed: SyncedFacts?) -> ContentStep {
        guard let agreed, max(here.stamp.size, there.size, agreed.size) <= TextMerge.mostBytes else {
            return .fork(isNumbered: agreed == nil)
        }
        if case .unmergeable(here.hash, there.checksum) = agreed.mark { return .fork(isNumbered: false) }
        return .merge
    }
}

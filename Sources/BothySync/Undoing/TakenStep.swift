import BothyContract

/// A step that was taken, and what is needed to undo it.
package struct TakenStep: Equatable, Sendable {
    package var step: Step
    /// Why it was taken; nil for one that is itself part of taking a pass back.
    package var reason: Reason?
    /// What it did, where it was itself part of taking a pass back.
    package var reversal: Reversal?
    /// What was agreed on before.
    package var before: SyncedFacts?
    /// Where it was on the server before, or what was agreed on of that where the server no longer had it.
    package var was: RemoteSpot?
    /// The file on the server that it made or changed.
    package var remoteId: String?
    /// The revision that it replaced on the server.
    package var replaced: RemoteFingerprint?
    /// Of a file, what it left here.
    package var content: ContentHash?
    /// Where in the local trash it put what it took away or replaced.
    package var keep: String?
    /// The conflict that it opened again, where it was itself part of taking a pass back.
    package var reopened: Reopened?
    /// The conflict that it decided once more, where it took such a step back.
    package var decidesAgain: Reopened?
    /// Of a folder that was there again, what came back into that.
    package var brought: [Brought] = []

    package init(
        _ step: Step, reason: Reason? = nil, reversal: Reversal? = nil, before: SyncedFacts? = nil,
        was: RemoteSpot? = nil, remoteId: String? = nil, replaced: RemoteFingerprint? = nil,
        content: ContentHash? = nil, keep: String? = nil
    ) {
        self.step = step
        self.reason = reason
        self.reversal = reversal
        self.before = before
        self.was = was
        self.remoteId = remoteId
        self.replaced = replaced
        self.content = content
        self.keep = keep
    }
}

extension TakenStep {
    /// The file on the server that it was about, or made.
    var subjectId: String? { remoteId ?? step.remoteId }
}

/// A file or folder that came out of a trash without the one that it was deleted with.
package struct Brought: Codable, Equatable, Sendable {
    /// On the server; nil for what came back here.
    package var id: String?
    package var place: Place
    /// Of a file.
    package var content: ContentHash?
    /// Files and folders, with all below it.
    package var count: Int

    package init(id: String?, place: Place, content: ContentHash?, count: Int) {
        self.id = id
        self.place = place
        self.content = content
        self.count = count
    }
}

// MARK: - Its reversals

extension TakenStep {
    /// - Parameter pass: what else the pass has done, which says what was one conflict.
    func reversals(in pass: Undoing.Pass) -> [Reversal] {
        if !brought.isEmpty { return brought.reversed().map { takingAway($0, in: pass) } }
        if let reversal { return [inverse(of: reversal, in: pass)].compactMap(\.self) }
        return step.changesTheServer ? onTheServer(pass) : onTheDisk()
    }

    private func takingAway(_ one: Brought, in pass: Undoing.Pass) -> Reversal {
        guard let id = one.id else {
            let taking = one.content.map(TakenHere.file) ?? .folder(count: one.count)
            return .exchangeHere(at: one.place, taking: taking, bringing: nil)
        }
        return .trashThere(id: id, at: one.place, content: one.content, count: one.count, here: counterpart(in: pass))
    }

    private func onTheServer(_ pass: Undoing.Pass) -> [Reversal] {
        switch step {
        case .makeRemoteFolder(let spot, let mine, _), .upload(let spot, let mine, nil, _):
            guard let remoteId else { return [] }
            return [
                .trashThere(id: remoteId, at: spot.place, content: mine.hash, count: 1, here: counterpart(in: pass))
            ]
        case .upload(let spot, let mine, let over?, _):
            let isEdit = pass.merged.contains(over.id)
            return [
                .setContentThere(id: over.id, at: spot.place, now: mine.hash, to: over, isEditHere: isEdit)
            ]
        case .moveRemote(let theirs, _, let spot, _):
            guard let was else { return [] }
            let now = RemoteSpot(folderId: spot.folderId ?? "", name: spot.remoteName)
            return [.moveThere(id: theirs.id, at: spot.place, from: now, to: was)]
        case .untrashRemote(let theirs, let spot):
            return [
                .trashThere(id: theirs.id, at: spot.place, content: nil, count: 1, here: counterpart(in: pass))
            ]
        case .trashRemote(let theirs, let place, _): return [.untrashThere(id: theirs.id, at: place)]
        case .touchRemote(let theirs, let place, let time, let executable):
            guard let before else { return [] }
            let old = FileAttributes(modifiedAt: before.remoteModifiedAt, executable: before.remoteExecutable)
            let now = FileAttributes(modifiedAt: time, executable: executable)
            return [.touchThere(id: theirs.id, at: place, from: now, to: old)]
        default: return []
        }
    }

    private func onTheDisk() -> [Reversal] {
        switch step {
        case .makeLocalFolder(let spot, _): return [.removeFolderHere(at: spot.place)]
        case .download(let spot, let theirs, _):
            return [.exchangeHere(at: spot.place, taking: .file(theirs.checksum ?? .ofNothing), bringing: keep)]
        case .merge(let place, _, _, _):
            guard let content, let keep else { return [] }
            return [.exchangeHere(at: place, taking: .file(content), bringing: keep)]
        case .moveLocal(_, _, let from, let spot, _): return [.moveHere(from: spot.place, to: from, wasSetAside: false)]
        case .setAside(_, _, let from, let to): return [.moveHere(from: to, to: from, wasSetAside: true)]
        case .trashLocal(let mine, let id, let place, _):
            guard let keep else { return [] }
            return [
                .exchangeHere(at: place, taking: .nothing, bringing: keep),
                .rejoinThere(id: id, at: place, content: mine.hash, spot: was),
            ]
        case .touchLocal(let mine, _, let place, let time, let executable):
            let old = FileAttributes(
                modifiedAt: mine.stamp.modifiedAt, executable: before?.localExecutable ?? executable)
            return [.touchHere(at: place, from: FileAttributes(modifiedAt: time, executable: executable), to: old)]
        default: return []
        }
    }

    /// What becomes here of what it made on the server, when that goes again.
    private func counterpart(in pass: Undoing.Pass) -> TrashedCounterpart {
        switch step {
        case .makeRemoteFolder(let spot, _, _), .upload(let spot, _, nil, _):
            pass.asides.contains(spot.place) ? .goesBack : .stays
        case .untrashRemote: .stays
        default: .follows
        }
    }

    /// Out of the server's trash again; what was deleted elsewhere comes back on both sides each time.
    private func backThere(_ id: String, _ at: Place) -> Reversal {
        if case .trashLocal(let mine, _, _, _) = step {
            return .rejoinThere(id: id, at: at, content: mine.hash, spot: was)
        }
        return .untrashThere(id: id, at: at)
    }

    /// What takes back a step of taking back.
    private func inverse(of reversal: Reversal, in pass: Undoing.Pass) -> Reversal? {
        switch reversal {
        case .trashThere(let id, let at, _, _, _): return backThere(id, at)
        case .untrashThere(let id, let at), .rejoinThere(let id, let at, _, _):
            return .trashThere(id: id, at: at, content: nil, count: step.count, here: counterpart(in: pass))
        case .setContentThere(let id, let at, _, let to, let wasEdit):
            // Merged again, and taken apart again.
            let isEdit = !wasEdit && pass.merged.contains(id)
            return replaced.map {
                .setContentThere(id: id, at: at, now: to.checksum, to: $0, isEditHere: isEdit)
            }
        case .moveThere(let id, let at, let from, let to):
            return .moveThere(id: id, at: at, from: to, to: was ?? from)
        case .touchThere(let id, let at, let from, let to): return .touchThere(id: id, at: at, from: to, to: from)
        case .removeFolderHere(let at): return .makeFolderHere(at: at)
        case .makeFolderHere(let at): return .removeFolderHere(at: at)
        case .exchangeHere(let at, _, nil): return keep.map { .exchangeHere(at: at, taking: .nothing, bringing: $0) }
        case .exchangeHere(let at, .folder, _?), .exchangeHere(let at, .nothing, _?):
            return .exchangeHere(at: at, taking: content.map(TakenHere.file) ?? .folder(count: 0), bringing: nil)
        case .exchangeHere(let at, .file, _?):
            return content.map { .exchangeHere(at: at, taking: .file($0), bringing: keep) }
        case .moveHere(let from, let to, _): return .moveHere(from: to, to: from, wasSetAside: false)
        case .touchHere(let at, let from, let to): return .touchHere(at: at, from: to, to: from)
        }
    }
}

// MARK: - What it decided

extension Reason {
    /// Whether it is about a file that both sides had changed.
    package var decidesAConflict: Bool {
        switch self {
        case .conflictMineChosen, .conflictTheirsChosen, .conflictMerged, .conflictForked, .conflictLastWrite: true
        default: false
        }
    }
}

extension TakenStep {
    /// The conflict that was decided by it; nil where it decided none.
    func decided(in pass: Undoing.Pass) -> Reopened? {
        if reversal != nil { return decidesAgain }
        guard let remoteId, reason?.decidesAConflict == true || isNumberedApart(in: pass) else {
            return nil
        }
        return Reopened(id: remoteId, agreed: pass.givenUp[remoteId] ?? before)
    }

    /// Both sides had made a file of that name, and the one from here was set aside under a number: the server's comes like any
    /// that is new.
    private func isNumberedApart(in pass: Undoing.Pass) -> Bool {
        guard case .download(let spot, _, nil) = step else { return false }
        return before == nil && pass.left.contains(spot.place)
    }
}

extension Step {
    /// How many files and folders it took away, itself included.
    fileprivate var count: Int {
        switch self {
        case .trashRemote(_, _, let count), .trashLocal(_, _, _, let count): count
        default: 1
        }
    }
}

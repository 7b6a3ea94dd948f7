import BothyClient
import BothyContract

/// Carrying out a plan: one action after the other, each written down before the next.
extension BindingEngine {
    /// Takes the actions in order, except for what goes side by side (``ActionWave``). What turns out to have changed ends this plan: the
    /// next one knows more.
    func take(
        _ actions: [Action], in sight: inout Sight, _ pass: SyncPass, _ report: inout PassReport,
        _ tell: @Sendable (Decision) -> Void
    ) async throws {
        sight.scene.contentHere = ContentHere(for: actions, in: sight.scene.synced)
        sight.scene.contentThere = ContentThere(for: actions, in: sight.scene.synced)
        answered = [:]
        var rest = actions[...]
        while !rest.isEmpty {
            let wave = ActionWave(of: rest, width: width)
            rest = rest.dropFirst(wave.count)
            if try await take(wave, in: &sight, pass, &report, tell) { return }
        }
    }

    /// What goes into a folder that could not be made has nowhere to go; the others of the wave are taken also where that is so.
    ///
    /// - Returns: whether something turned out to have changed.
    private func take(
        _ wave: ActionWave, in sight: inout Sight, _ pass: SyncPass, _ report: inout PassReport,
        _ tell: @Sendable (Decision) -> Void
    ) async throws -> Bool {
        var taken = Taken()
        for var part in wave.parts {
            try Task.checkCancellation()
            part.actions.removeAll { action in taken.unmade.contains { action.step.places[0].isWithin($0) } }
            try await take(part, &taken, in: &sight, pass, &report, tell)
        }
        return taken.hasChanged
    }

    /// What came of a wave so far.
    private struct Taken {
        /// Whether something turned out to have changed, so that the rest of the plan is not to be trusted.
        var hasChanged = false
        /// Folders that could not be made.
        var unmade = [Place]()
        /// Whether some of what was done could not be written down: then nothing is after it, which may stand on that.
        var isUnwritten = false
    }

    /// Takes a part side by side. What has come to its end is written down while others are under way, so that neither waits for the other.
    /// Once something ends the pass nothing more is begun, and once something has changed as much more as goes side by side: a file that
    /// never stops changing must not hold back what stands behind it.
    private func take(
        _ part: ActionWave.Part, _ taken: inout Taken, in sight: inout Sight, _ pass: SyncPass,
        _ report: inout PassReport, _ tell: @Sendable (Decision) -> Void
    ) async throws {
        guard part.actions.count > 1 else {
            guard let action = part.actions.first else { return }
            let results = await results(of: .alone(action), in: sight.scene)
            return try await settle([(action, results[0])], &taken, &sight, pass, &report, tell)
        }
        // As it is now: what is written down meanwhile is nothing to the others, and a copy of the trees for each would be dear.
        let scene = sight.scene
        var course = PartCourse<Result>(part, hasChanged: taken.hasChanged)
        let ended = Arrivals<Result>(count: part.actions.count)
        var failure: (any Error)?
        await withDiscardingTaskGroup { group in
            while true {
                var begun = [(place: Int, action: Action)]()
                while failure == nil, let next = course.next() { begun.append(next) }
                for (places, company) in ActionCompany.all(of: begun) {
                    group.addTask {
                        let results = await self.results(of: company, in: scene)
                        ended.add(zip(places, results).map { (place: $0, outcome: $1) })
                    }
                }
                guard course.isUnderWay, let arrived = await ended.next() else { break }
                let ready = course.ended(arrived)
                guard !taken.isUnwritten else { continue }
                do {
                    try await settle(ready, &taken, &sight, pass, &report, tell)
                } catch {
                    failure = failure ?? error
                }
                if taken.hasChanged { course.comeToAnEnd() }
            }
        }
        if let failure { throw failure }
    }

    private typealias Result = Swift.Result<ActionPerformer.Performed, any Error>

    private func results(of company: ActionCompany, in scene: ActionPerformer.Scene) async -> [Result] {
        do {
            if case .alone(let action) = company { try takeUpEnd(of: action) }
            return await performer.perform(company, in: scene)
        } catch {
            return [.failure(error)]
        }
    }

    /// Writes down what came of some actions, all of it at once, also where one of them ends the pass.
    private func settle(
        _ results: [(Action, Result)], _ taken: inout Taken, _ sight: inout Sight, _ pass: SyncPass,
        _ report: inout PassReport, _ tell: @Sendable (Decision) -> Void
    ) async throws {
        guard !results.isEmpty else { return }
        // Until all of it is.
        taken.isUnwritten = true
        var steps = [SettledStep]()
        var unforeseen: (any Error)?
        for (action, result) in results {
            // What it did here, or met, is looked at again.
            for place in action.step.places { untold.places.insert(place) }
            // A program that has opened it meanwhile keeps what was fetched for it from its place, and nothing else.
            if result.failure?.code != .fileInUse {
                for (name, _) in ActionPerformer.fetched(for: action.step) { performer.staged.remove(name) }
            }
            var decision = Decision(
                passId: pass.id, at: environment.clock.now(), action: action, trace: Decision.Trace())
            switch result {
            case .success(let performed):
                note(performed, of: action, sight.scene.remote)
                decision.trace = performed.trace
                if binding.isLinking { decision.trace.isLinking = true }
                if case .upload(let spot, _, _?, _) = action.step {
                    pace.note(spot.place, at: environment.clock.uptime())
                }
                lulls?.went([action])
                let rows = sight.settle(action, performed.outcome)
                try noteOwn(action, performed, &sight.scene)
                steps.append(
                    SettledStep(
                        decision, written: performed.written, rows, of: sight.scene.synced,
                        answered: performed.answered))
            case .failure(let error):
                answered = nil
                if action.step.makesFolder { taken.unmade += action.step.places }
                guard let failure = error as? ClientFailure, failure.isOfOneItem else {
                    unforeseen = unforeseen ?? error
                    continue
                }
                let asksForAnother = try await refused(&decision, failure, &report, tell)
                taken.hasChanged = taken.hasChanged || asksForAnother
            }
        }
        try await store.settle(steps, binding: binding.id)
        taken.isUnwritten = false
        for step in steps {
            report.taken.append(step.decision)
            tell(step.decision)
        }
        if let unforeseen { throw unforeseen }
    }

    /// What the server has answered need not be asked of it again, unless it speaks of what others have done meanwhile: of a
    /// file that lies in a folder which nobody has told of yet only the log can tell.
    private func note(_ performed: ActionPerformer.Performed, of action: Action, _ remote: RemoteTree) {
        guard action.step.changesTheServer else { return }
        guard let file = performed.told, file.trashedAt == nil, let parent = file.parentId,
            remote.node(parent) != nil || answered?[parent] != nil
        else { return answered = nil }
        answered?[file.id] = file
    }

    /// - Returns: whether both sides have to be looked at again before anything else is done.
    private func refused(
        _ decision: inout Decision, _ failure: ClientFailure, _ report: inout PassReport,
        _ tell: @Sendable (Decision) -> Void
    ) async throws -> Bool {
        if failure.problem?.code == .idempotencyMismatch {
            // It was withdrawn, and is wanted again: then it is sent anew.
            try await store.forgetRequest(ActionPerformer.key(of: decision.action), binding: binding.id)
        }
        decision.trace.failure = failure
        if failure.asksForAnotherLook {
            // What a look missed once may lie anywhere.
            untold.isEverything = true
            if report.isWorthAnotherLook(decision) { return true }
        }
        if failure.code == .transferCanceled {
            // A transfer that was ended is over: the next try is another.
            try await store.forgetRequest(ActionPerformer.key(of: decision.action), binding: binding.id)
        }
        try await tellAsFailed(decision, &report, tell)
        return false
    }

    func tellAsFailed(
        _ decision: Decision, _ report: inout PassReport, _ tell: @Sendable (Decision) -> Void
    ) async throws {
        long.rests.note(decision)
        try await store.note(decision, of: binding.id)
        report.refuse(decision.action)
        report.failed.append(decision)
        tell(decision)
    }

    /// What this plan's own actions change is no surprise to those after them.
    private func noteOwn(
        _ action: Action, _ performed: ActionPerformer.Performed, _ scene: inout ActionPerformer.Scene
    ) throws {
        if let remote = performed.outcome.remote, action.step.changesTheServer {
            scene.ownVersions[remote.id] = remote.version
            if case .moveRemote(_, _, let spot, _) = action.step {
                let folder = try performer.folder(of: spot, in: scene)
                scene.ownSpots[remote.id] = RemoteSpot(folderId: folder, name: spot.remoteName)
            }
        }
        if action.step.changesAnInode, let local = performed.outcome.local {
            scene.ownChanges[local.stamp.inode] = local.stamp.changedAt
        }
    }
}

extension Result where Success == ActionPerformer.Performed, Failure == any Error {
    fileprivate var failure: ClientFailure? {
        guard case .failure(let error) = self else { return nil }
        return error as? ClientFailure
    }
}

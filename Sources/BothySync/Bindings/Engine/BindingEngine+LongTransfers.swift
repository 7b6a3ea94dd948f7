import BothyClient

/// What goes on beside the passes of a folder that is watched.
extension BindingEngine {
    /// From now on long transfers go on beside patient passes.
    ///
    /// - Parameter wake: one has come to its end; a pass takes up what came of it.
    package func carryBeside(_ wake: @escaping @Sendable () -> Void) { wakeAfterTransfer = wake }

    /// They are cut off, and resume when they are wanted again.
    package func stopCarrying() async {
        wakeAfterTransfer = nil
        _ = await letGo()
    }

    private func letGo(but wanted: Set<String> = []) async -> [LongTransfers.Begun] {
        let gone = long.letGo(but: wanted)
        for one in gone { one.task.cancel() }
        for one in gone { await one.task.value }
        return gone.map(\.begun)
    }

    /// What no plan wants any more ends here: before the server is asked what came of it. What stands in the folder's place while that is
    /// away says nothing of it.
    func letGoOfTransfers(but plan: Plan) async {
        guard wakeAfterTransfer != nil, !(plan.sighting?.isOfAnotherFolder ?? false) else { return }
        let gone = await letGo(but: Set((plan.actions + plan.inUse).compactMap(LongTransfers.key)))
        for begun in gone {
            guard case .upload(let spot, _, _, _) = begun.action.step else { continue }
            // Saved on and on, it would be begun on and on, and never be there.
            rest(
                begun.action, after: ClientFailure(.sourceChanged, "“\(spot.place)” was changed during its upload.")
            )
        }
    }

    /// Takes those of a plan's actions out of it that go on beside it.
    func setApart(_ actions: inout [Action], patiently: Bool) -> [Action] {
        guard wakeAfterTransfer != nil, patiently else { return [] }
        let apart = long.beside(actions, isLinking: binding.isLinking)
        guard !apart.isEmpty else { return [] }
        let all = Set(apart)
        actions.removeAll { all.contains($0) }
        return apart
    }

    /// Begins those that may.
    ///
    /// - Throws: `changedMeanwhile` when something else is here than the plan saw.
    func begin(_ apart: [Action], of plan: [Action], in look: Look, begins: @Sendable () -> Void) async throws {
        let next = long.next(of: apart, in: plan, at: environment.clock.uptime())
        guard !next.isEmpty else { return }
        begins()
        var scene = look.scene
        scene.contentHere = ContentHere(for: next, in: scene.synced)
        scene.contentThere = ContentThere(for: next, in: scene.synced)
        for action in next {
            guard let key = LongTransfers.key(of: action) else { continue }
            let (bytes, request) = try await performer.carriage(of: action, in: scene)
            if case .upload(let spot, _, _?, _) = action.step { pace.note(spot.place, at: environment.clock.uptime()) }
            let begun = LongTransfers.Begun(action: action, request: request)
            long.began(begun, as: key, Task { await self.carry(bytes, key) })
        }
    }

    private func carry(_ bytes: @Sendable () async throws -> Void, _ key: String) async {
        do {
            try await bytes()
            long.ended(key, with: nil)
        } catch {
            long.ended(key, with: error)
        }
        wakeAfterTransfer?()
    }

    /// What was fetched beside is put in its place like anything else; what failed fails now.
    func takeUpEnd(of action: Action) throws {
        guard let key = LongTransfers.key(of: action), let end = long.takeEnd(of: key) else { return }
        do {
            try end.get()
        } catch let failure as ClientFailure {
            rest(action, after: failure)
            throw failure
        }
        long.rests.end(of: action)
        if case .download = action.step { performer.staged.insert(key) }
    }

    private func rest(_ action: Action, after failure: ClientFailure) {
        let seconds =
            failure.code == .transferPaused
            ? .infinity
            : RetryPolicy.delay(
                after: failure, failures: long.rests.failures(of: action) + 1, chance: environment.chance())
        long.rests.begin(of: action, for: seconds, at: environment.clock.uptime())
    }

    /// What goes on beside, and what of it waits for its next try.
    func note(_ apart: [Action], in report: inout PassReport) {
        let now = environment.clock.uptime()
        report.resting = apart.compactMap { long.rests.failure(of: $0, at: now) }
        report.underWay = apart.count - report.resting.count
        report.secondsToRetry = long.rests.secondsToNext(of: report.plan.actions, at: now)
    }
}

import BothyClient

/// What a program has open to write in stays where it is until the program closes it: what it wrote later would go into a file that
/// nobody sees any more.
extension BindingEngine {
    /// - Returns: the plan without what would take such a file away, or replace it.
    func holdingInUse(_ plan: Plan, in sight: Sight) async throws -> Plan {
        let places = plan.actions.compactMap(\.step.takesAwayHere)
        guard !places.isEmpty else { return plan }
        let (disk, local) = (disk, sight.scene.local)
        let used = try await queues.run {
            // Where that cannot be known, the action itself looks again, and fails with the reason.
            Set(places.filter { (try? SubtreeCheck.fileInUse(of: $0, at: $0, in: local, on: disk)) != nil })
        }
        return plan.holding(used)
    }
}

extension Step {
    /// Where it takes away, or replaces, what a person has here.
    fileprivate var takesAwayHere: Place? {
        switch self {
        case .download(let spot, _, _?): spot.place
        case .merge(let place, _, _, _): place
        case .trashLocal(_, _, let place, _): place
        case .record, .forget, .leaveOut, .rebind, .markUnsynced, .download, .upload, .makeRemoteFolder, .moveRemote,
            .untrashRemote, .trashRemote, .touchRemote, .makeLocalFolder, .moveLocal, .setAside, .touchLocal:
            nil
        }
    }
}

extension Plan {
    /// - Parameter used: what is in use, or holds something that is.
    func holding(_ used: Set<Place>) -> Plan {
        guard !used.isEmpty else { return self }
        var plan = self
        plan.inUse = actions.filter { action in
            action.step.places.contains { place in used.contains { place.isWithin($0) } }
        }
        let held = Set(plan.inUse)
        plan.actions.removeAll(where: held.contains)
        for place in used { plan.standing[place] = .held(.inUse) }
        return plan
    }
}

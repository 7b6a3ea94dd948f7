import BothyClient
import BothyContract

/// Bringing files: what goes together takes each step together, so that a step costs little more for many than for one.
extension ActionPerformer {
    /// A class, since each step hands it on to the next.
    private final class Arrival: Sendable {
        let action: Action
        let place: Place
        let theirs: RemoteFingerprint
        let over: LocalFingerprint?
        /// What of the server's it is.
        let facts: RemoteFacts
        /// Where what it replaces goes in the trash.
        let keep: String

        /// - Parameters:
        ///   - action: a download.
        ///   - facts: what the server has by now of what it brings; throws where that is something else.
        init(_ action: Action, facts: (RemoteFingerprint) throws -> RemoteFacts, keep: String) throws {
            guard case .download(let spot, let theirs, let over) = action.step else {
                preconditionFailure("only what brings a file is brought")
            }
            (self.action, self.place, self.theirs, self.over) = (action, spot.place, theirs, over)
            self.facts = try facts(theirs)
            self.keep = keep
        }
    }

    private struct Staged: Sendable {
        let arrival: Arrival
        /// Its name in the staging folder.
        let name: String
    }

    /// One that is written down.
    private struct Begun: Sendable {
        let staged: Staged
        let written: Written
    }

    private struct Installed: Sendable {
        let begun: Begun
        let there: DiskFacts
    }

    /// Files that one thread puts in their places before it is another's turn: their folders are made durable together, while others share
    /// what a sync costs.
    private static let installedTogether = 16

    /// Brings what a plan's actions bring.
    ///
    /// - Parameter actions: downloads, and no others.
    /// - Returns: what came of each, in their order.
    func fetch(_ actions: [Action], in scene: Scene) async -> [Result<Performed, any Error>] {
        let wanted = actions.map { action in
            Result<Arrival, any Error> {
                try Arrival(action, facts: { try remote($0, in: scene) }, keep: environment.newId())
            }
        }
        let free = await wanted.further { arrivals in
            try await onDisk { disk in
                arrivals.map { arrival in
                    Result {
                        guard let over = arrival.over else { return arrival }
                        _ = try Self.look(arrival.place, over, in: scene, on: disk)
                        // Before it is fetched: who has opened it since the look.
                        if try SubtreeCheck.isInUse(arrival.place, on: disk) {
                            throw ClientFailure.inUse(arrival.place)
                        }
                        return arrival
                    }
                }
            }
        }
        let staged = await free.further { try await stage($0, in: scene) }
        let noted = await staged.further { staged in
            var noted = [Result<Staged, any Error>]()
            for one in staged { noted.append(await Result(awaiting: { try await note(one, in: scene) })) }
            return noted
        }
        let begun = await noted.further { staged in
            zip(staged, try await writeDown(staged.map(\.arrival.action))).map {
                .success(Begun(staged: $0, written: $1))
            }
        }
        let installed = await begun.further { try await install($0, in: scene) }
        return installed.map { $0.map { performed($0, in: scene) } }
    }

    private func stage(_ arrivals: [Arrival], in scene: Scene) async throws -> [Result<Staged, any Error>] {
        let names = await stage(
            arrivals.map { arrival in
                Wish(
                    theirs: arrival.theirs, name: arrival.place.name.text,
                    over: arrival.over.map { _ in arrival.place },
                    twins: scene.twins(of: arrival.theirs.checksum), facts: arrival.facts)
            })
        let missing = zip(arrivals, names).compactMap { arrival, name in
            if case .failure = name { Self.key(of: arrival.action) } else { nil }
        }
        // What an earlier try had staged may be gone, and must not count as put in its place.
        try await store.forgetRequests(missing, binding: binding.id)
        return zip(arrivals, names).map { arrival, name in name.map { Staged(arrival: arrival, name: $0) } }
    }

    private func note(_ staged: Staged, in scene: Scene) async throws -> Staged {
        let arrival = staged.arrival
        if let over = arrival.over {
            try await noteInTrash(arrival.keep, arrival.place, over, arrival.action.reason, scene.lived)
        }
        return staged
    }

    private func install(_ begun: [Begun], in scene: Scene) async throws -> [Result<Installed, any Error>] {
        let starts = Array(stride(from: 0, to: begun.count, by: Self.installedTogether))
        let there = try await withThrowingTaskGroup(of: (Int, [Result<DiskFacts, ClientFailure>]).self) { group in
            for start in starts {
                let installations = begun[start...].prefix(Self.installedTogether)
                    .map { installation($0.staged, in: scene) }
                group.addTask { (start, try await onDisk { $0.install(installations) }) }
            }
            return try await group.reduce(into: [Int: [Result<DiskFacts, ClientFailure>]]()) { $0[$1.0] = $1.1 }
        }
        let installed = zip(begun, starts.flatMap { there[$0] ?? [] })
        let refused = installed.compactMap { one, there -> String? in
            guard case .failure(let failure) = there, [.changedMeanwhile, .fileInUse].contains(failure.code)
            else { return nil }
            return one.written.key
        }
        // It is not in its place, wherever its folder has gone, and must not count as taken away from there.
        try await store.forgetRequests(refused, binding: binding.id)
        try await forgetInTrash(
            installed.compactMap { one, there in
                let arrival = one.staged.arrival
                if case .failure = there, arrival.over != nil { return arrival.keep }
                return nil
            })
        return installed.map { one, there in there.mapError { $0 }.map { Installed(begun: one, there: $0) } }
    }

    private func installation(_ staged: Staged, in scene: Scene) -> Installation {
        let arrival = staged.arrival
        let file = StagedFile(
            name: staged.name, modifiedAt: arrival.facts.modifiedAt, executable: arrival.facts.executable)
        return Installation(
            file: file, place: arrival.place, replacing: arrival.over.map(scene.expected), keep: arrival.keep)
    }

    private func performed(_ installed: Installed, in scene: Scene) -> Performed {
        let (arrival, written) = (installed.begun.staged.arrival, installed.begun.written)
        var performed = Performed(outcome: Outcome(), trace: trace(of: arrival.action, in: scene))
        if arrival.over != nil { performed.trace.keep = arrival.keep }
        (performed.answered, performed.written) = (written.key, written.text)
        performed.outcome.remote = arrival.facts
        performed.outcome.local = scene.known(installed.there, holding: arrival.theirs.checksum)
        return performed.traced(arrival.action)
    }
}

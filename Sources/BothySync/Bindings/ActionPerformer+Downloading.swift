import BothyClient
import BothyContract

/// Bringing files: what goes together takes each step together, so that a step costs little more for many than for one.
extension ActionPerformer {
    private struct Arrival: Sendable {
        let action: Action
        let place: Place
        let theirs: RemoteFingerprint
        let over: LocalFingerprint?
        /// What of the server's it is.
        let facts: RemoteFacts
        /// Where what it replaces goes in the trash.
        let keep: String
        /// Its name in the staging folder.
        var staged = ""
        var written: Written?
        var there: DiskFacts?
    }

    /// Files that one thread puts in their places before it is another's turn: their folders are made durable together, while others share
    /// what a sync costs.
    private static let installedTogether = 16

    /// Brings what a plan's actions bring.
    ///
    /// - Parameter actions: downloads, and no others.
    /// - Returns: what came of each, in their order.
    func fetch(_ actions: [Action], in scene: Scene) async -> [Result<Performed, any Error>] {
        let wanted = actions.map { action in Result<Arrival, any Error> { try arrival(of: action, in: scene) } }
        let free = await wanted.further { arrivals in
            try await onDisk { disk in
                arrivals.map { arrival in
                    Result {
                        if let over = arrival.over { _ = try Self.look(arrival.place, over, in: scene, on: disk) }
                        return arrival
                    }
                }
            }
        }
        let staged = await free.further { try await stage($0, in: scene) }
        let noted = await staged.further { arrivals in
            var noted = [Result<Arrival, any Error>]()
            for arrival in arrivals { noted.append(await Result(awaiting: { try await note(arrival, in: scene) })) }
            return noted
        }
        let written = await noted.further { arrivals in
            zip(arrivals, try await writeDown(arrivals.map(\.action))).map { arrival, written in
                var arrival = arrival
                arrival.written = written
                return .success(arrival)
            }
        }
        let installed = await written.further { try await install($0, in: scene) }
        return installed.map { $0.map { performed($0, in: scene) } }
    }

    private func arrival(of action: Action, in scene: Scene) throws -> Arrival {
        guard case .download(let spot, let theirs, let over) = action.step else {
            preconditionFailure("only what brings a file is brought")
        }
        return Arrival(
            action: action, place: spot.place, theirs: theirs, over: over, facts: try remote(theirs, in: scene),
            keep: environment.newId())
    }

    private func stage(_ arrivals: [Arrival], in scene: Scene) async throws -> [Result<Arrival, any Error>] {
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
        return zip(arrivals, names).map { arrival, name in
            name.map { name in
                var arrival = arrival
                arrival.staged = name
                return arrival
            }
        }
    }

    private func note(_ arrival: Arrival, in scene: Scene) async throws -> Arrival {
        if let over = arrival.over {
            try await noteInTrash(arrival.keep, arrival.place, over, arrival.action.reason, scene.lived)
        }
        return arrival
    }

    private func install(_ arrivals: [Arrival], in scene: Scene) async throws -> [Result<Arrival, any Error>] {
        let starts = Array(stride(from: 0, to: arrivals.count, by: Self.installedTogether))
        let there = try await withThrowingTaskGroup(of: (Int, [Result<DiskFacts, ClientFailure>]).self) { group in
            for start in starts {
                let installations = arrivals[start...].prefix(Self.installedTogether).map { arrival in
                    Installation(
                        file: StagedFile(
                            name: arrival.staged, modifiedAt: arrival.facts.modifiedAt,
                            executable: arrival.facts.executable),
                        place: arrival.place, replacing: arrival.over.map(scene.expected), keep: arrival.keep)
                }
                group.addTask { (start, try await onDisk { $0.install(installations) }) }
            }
            return try await group.reduce(into: [Int: [Result<DiskFacts, ClientFailure>]]()) { $0[$1.0] = $1.1 }
        }
        let installed = zip(arrivals, starts.flatMap { there[$0] ?? [] })
        let refused = installed.compactMap { arrival, there -> String? in
            guard case .failure(let failure) = there, failure.code == .changedMeanwhile else { return nil }
            return arrival.written?.key
        }
        // It is not in its place, wherever its folder has gone, and must not count as taken away from there.
        try await store.forgetRequests(refused, binding: binding.id)
        return installed.map { arrival, there in
            there.mapError { $0 }.map { there in
                var arrival = arrival
                arrival.there = there
                return arrival
            }
        }
    }

    private func performed(_ arrival: Arrival, in scene: Scene) -> Performed {
        var performed = Performed(outcome: Outcome(), trace: trace(of: arrival.action, in: scene))
        if arrival.over != nil { performed.trace.keep = arrival.keep }
        (performed.answered, performed.written) = (arrival.written?.key, arrival.written?.text)
        performed.outcome.remote = arrival.facts
        performed.outcome.local = arrival.there.map { LocalFacts($0, hash: arrival.theirs.checksum) }
        return performed.traced(arrival.action)
    }
}

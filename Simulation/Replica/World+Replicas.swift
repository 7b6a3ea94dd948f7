import BothyClient
import BothyContract

/// What happens at the devices' replicas.
extension World {
    /// Something is done at a replica, and shown at once as the server will show it.
    func intends(_ index: Int, _ intent: Intent, indent: String = "") async {
        let replica = replicas[index % replicas.count]
        guard let words = await person(at: replica).does(intent, &ledger) else { return }
        trace.append("\(indent)\(replica.device.name): a person, at the replica, \(words)")
    }

    private func person(at replica: SimulatedReplica) -> ReplicaPerson {
        intents += 1
        return ReplicaPerson(replica: replica, requestId: "\(replica.device.name)-intent-\(intents)")
    }

    /// The view as somebody sees it who looks at this moment. The first breach of its law is what the world ends with.
    func look(at replica: SimulatedReplica) async {
        guard breach == nil else { return }
        do {
            let shown = try await replica.shown()
            var broken = try await ViewLaw.leftEarly(on: replica)
            if broken == nil { broken = try await replica.changedIdentity(in: shown, server.model) }
            if broken == nil { broken = try await ViewLaw.broken(by: shown, on: replica) }
            breach = broken.map { Finding(.viewLaw, "On \(replica.device.name), \($0).") }
        } catch {
            breach = Finding(.engineFailed, "\(replica.device.name): \(error)")
        }
    }

    /// - Returns: whether there was nothing to send and nothing new.
    func exchange(_ index: Int, _ conditions: PassConditions) async -> (isAtRest: Bool, finding: Finding?) {
        let replica = replicas[index % replicas.count]
        let device = replica.device
        trace.append("\(device.name): the replica exchanges\(conditions.words)")
        begin(conditions, on: device)
        var (isAtRest, failure): (Bool, (any Error)?) = (false, nil)
        do {
            isAtRest = try await replica.exchange()
        } catch {
            failure = error
        }
        if let finding = end(of: device, by: failure) { return (false, finding) }
        if failure == nil, await replica.knowsAll() {
            ledger.passed(.replica(device.index), server.model.reachableContent)
        }
        await look(at: replica)
        return (isAtRest, breach)
    }

    /// What waits for a person is decided, and sent.
    func quietExchange(_ replica: SimulatedReplica) async -> (isAtRest: Bool, finding: Finding?) {
        do {
            if let finding = try await falseConflict(at: replica) { return (false, finding) }
            while let words = try await person(at: replica).decides(&ledger) {
                trace.append("\(replica.device.name): a person, at the replica, \(words)")
            }
        } catch {
            return (false, Finding(.engineFailed, "\(replica.device.name): \(error)"))
        }
        return await exchange(replica.device.index, PassConditions())
    }

    /// Where one person works alone, and the server keeps its log, there is nothing to be decided.
    private func falseConflict(at replica: SimulatedReplica) async throws -> Finding? {
        guard shape.oneWriter, !serverForgot else { return nil }
        let waiting = try await replica.store.operations().first(where: \.waitsForAPerson)
        return waiting.map { operation in
            Finding(.falseConflict, "\(operation.kind) waits for a person, and one person wrote alone.")
        }
    }
}

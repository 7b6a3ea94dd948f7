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
            guard let broken = try await ViewLaw.broken(on: replica) else { return }
            breach = Finding(.viewLaw, "On \(replica.device.name), \(broken).")
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
        await look(at: replica)
        return (isAtRest, breach)
    }

    /// What waits for a person is decided, and sent.
    func quietExchange(_ replica: SimulatedReplica) async -> (isAtRest: Bool, finding: Finding?) {
        do {
            while let words = try await person(at: replica).decides(&ledger) {
                trace.append("\(replica.device.name): a person, at the replica, \(words)")
            }
        } catch {
            return (false, Finding(.engineFailed, "\(replica.device.name): \(error)"))
        }
        return await exchange(replica.device.index, PassConditions())
    }
}

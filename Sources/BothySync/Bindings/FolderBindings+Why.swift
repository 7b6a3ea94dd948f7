import BothyClient
import BothyContract

extension FolderBindings {
    /// Why something in a folder is as it is, by what can be known now.
    ///
    /// - Parameters:
    ///   - cache: by it the server's side is looked at; it tells afterwards whether the server was asked.
    ///   - isKept: something is running that keeps the folder in sync.
    package func explain(
        _ place: Place, in binding: Binding, by cache: LastKnownCache, isKept: Bool
    ) async throws -> Explanation {
        do {
            return try await explain(place, in: binding, by: cache, telling: cache, isKept: isKept)
        } catch let failure as ClientFailure where failure.isAccounts {
            // What was known of the drive went with the sign-in; what both sides agreed on is kept with the folder.
            let agreed = AgreedCache(binding: binding, synced: try await store.syncedTree(of: binding))
            return try await explain(place, in: binding, by: agreed, telling: cache, isKept: isKept)
        }
    }

    private func explain(
        _ place: Place, in binding: Binding, by cache: any RemoteCache, telling known: LastKnownCache, isKept: Bool
    ) async throws -> Explanation {
        let device = try home.account.signedIn()?.device.name ?? "this device"
        let engine = engine(for: binding, rules: BindingRules(deviceName: device), cache: cache)
        func around(_ place: Place, _ id: String?) async throws -> Surroundings {
            var around = try await Surroundings(
                ofFileAt: binding.absolute(place), withId: id, on: home, offline: known.offline)
            around.isKept = isKept
            return around
        }
        var explanation = try await engine.explain(place, in: around)
        if explanation.cause == .item(.atRest), let typed = try await typed(below: place, in: binding) {
            var around = try await around(typed.place, nil)
            around.operation = typed.state
            explanation.tell(
                ofTyped: typed.place, count: typed.subjects.count, as: .of(.atRest, failure: nil, in: around),
                in: binding)
        }
        return explanation
    }

    /// What was typed about things in a folder and waits to be sent: it is in none of the folder's own trees.
    private func typed(below place: Place, in binding: Binding) async throws -> Typed? {
        // A name that only a disk can have is nowhere on the server.
        guard let folder = try? RemotePath("\(binding.remotePath)/\(place.text)") else { return nil }
        var typed: Typed?
        let waiting = try await home.replica.operations().filter { $0.state != .acknowledged }
        for placed in try await home.replica.placed(waiting) {
            let operation = placed.operation
            guard
                let path = [placed.destination, placed.origin].compactMap(\.self).first(where: {
                    $0.lies(below: folder)
                })
            else { continue }
            let names = place.text.pathNames + path.names.dropFirst(folder.names.count)
            typed = typed ?? Typed(place: Place(text: names.joined(separator: "/")), state: operation.state)
            typed?.subjects.insert(operation.subject)
        }
        return typed
    }

    private struct Typed {
        /// Of the first of it.
        var place: Place
        var state: JournalOperation.State
        /// What all of it is about.
        var subjects: Set<LUID> = []
    }
}

extension Explanation {
    /// - Parameter cause: why what was typed waits.
    fileprivate mutating func tell(ofTyped place: Place, count: Int, as cause: ExplainedCause, in binding: Binding) {
        (self.cause, state, below) = (cause, cause.state, (count, place))
        remedy = RemedyWords.filled(cause.remedy, folder: binding.localPath)
    }
}

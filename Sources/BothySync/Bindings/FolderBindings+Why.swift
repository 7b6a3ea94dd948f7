import BothyClient
import BothyContract

extension FolderBindings {
    /// Why something in a folder is as it is, by what can be known now.
    ///
    /// - Parameters:
    ///   - cache: by it the server's side is looked at; it tells afterwards whether the server was asked.
    ///   - isKept: something is running that keeps the folder in step.
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
        return try await engine.explain(place) { place, id in
            var around = try await Surroundings(
                ofFileAt: binding.absolute(place), withId: id, on: home, offline: known.offline)
            around.isKept = isKept
            return around
        }
    }
}

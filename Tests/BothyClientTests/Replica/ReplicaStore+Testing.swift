import BothyClient

extension ReplicaStore {
    func overlay() async throws -> Overlay {
        let operations = try await operations()
        return try await ground { ground in try Overlay(operations, over: ground) }
    }

    func rebased(_ overlay: Overlay, _ effect: PageEffect) async throws -> Overlay {
        try await ground { ground in
            var moved = overlay
            _ = try moved.rebase(effect.keys, retired: effect.retired.map(\.id), over: ground)
            return moved
        }
    }
}

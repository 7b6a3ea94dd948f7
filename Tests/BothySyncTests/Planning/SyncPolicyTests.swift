@testable import BothySync
import Testing

@Suite struct SyncPolicyTests {
    @Test func whatWasSetForTheNearestHolds() {
        var remote = RemoteTree(rootId: "root")
        let nodes: [(id: String, kind: NodeKind, folder: String)] = [
            ("outer", .folder, "root"), ("inner", .folder, "outer"), ("own", .file, "inner"),
            ("inInner", .file, "inner"), ("inOuter", .file, "outer"), ("inRoot", .file, "root"),
        ]
        for node in nodes {
            remote.put(RemoteFacts(id: node.id, kind: node.kind), named: NodeName(node.id), under: node.folder)
        }
        var policy = SyncPolicy(conflicts: .fork, deviceName: "laptop", day: "2026-11-20")
        policy.conflictsBelow = ["outer": .ask, "inner": .merge, "own": .lastWriteWins]
        #expect(policy.conflicts(about: "own", in: remote) == .lastWriteWins)
        #expect(policy.conflicts(about: "inInner", in: remote) == .merge)
        #expect(policy.conflicts(about: "inOuter", in: remote) == .ask)
        #expect(policy.conflicts(about: "inRoot", in: remote) == .fork)
    }
}

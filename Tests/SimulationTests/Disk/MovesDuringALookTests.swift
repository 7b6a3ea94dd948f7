import BothyClient
import BothyContract
@testable import BothySync
import Simulation
import Testing

/// Whatever somebody does while everything is looked at, each file is seen once: where it was, or where it is by now.
@Suite struct MovesDuringALookTests {
    /// What lies in the folder before each look.
    private static let files = ["a/1", "a/in/2", "b/3", "c/4", "c/deep/5", "6"]
    private static let folders = ["a", "a/in", "b", "c", "c/deep"]

    @Test func whatIsMovedBetweenAnyTwoFoldersIsSeenOnce() throws {
        for thing in Self.files + Self.folders {
            for folder in [""] + Self.folders where folder != thing && !folder.hasPrefix(thing + "/") {
                try look { disk in
                    let place = path(thing)
                    try disk.model.rename(place, path(folder) + [place.last! + "-moved"], replacing: false)
                }
            }
        }
    }

    /// What one look misses, the one after it cannot: it is not moved on for ever.
    @Test func aFileThatIsMovedOnIsSeenOnce() throws {
        for (first, second) in [("c", "a"), ("b", "c/deep"), ("a/in", "a")] {
            try look { disk in try disk.model.rename(["6"], path(first) + ["6"], replacing: false) }
            try look { disk in
                try disk.model.rename(["b", "3"], path(first) + ["x"], replacing: false)
                try disk.model.rename(path(first) + ["x"], path(second) + ["y"], replacing: false)
            }
        }
    }

    @Test func rulesThatAreMadeMeanwhileHoldForAllOrForNothing() throws {
        try look { disk in try disk.model.write(["c", IgnoreRules.fileName.text], Array("deep/\n4\n".utf8)) }
        try look { disk in try disk.model.write([IgnoreRules.fileName.text], Array("in/\n6\n".utf8)) }
    }

    /// Looks while `deed` is done before each of the look's calls in turn.
    private func look(_ deed: @escaping (SimulatedDisk) throws -> Void) throws {
        for call in 1... {
            let someone = Someone()
            let disk = try disk(around: someone)
            let before = try seen(disk)
            someone.disk = disk
            someone.turn = call
            someone.deed = deed
            let during = try seen(disk)
            guard someone.isDone else { return }
            let after = try seen(disk)
            #expect(during == after || during == before, "before call \(call)")
        }
    }

    private func disk(around someone: Someone) throws -> SimulatedDisk {
        let model = DiskModel(nature: DiskNature(), now: Timestamp(seconds: 1_795_000_000))
        let disk = SimulatedDisk(model: model, place: "/simulated/anna/", around: someone)
        try disk.claim(mark: "mark")
        for folder in Self.folders { try disk.model.makeFolder(path(folder)) }
        for file in Self.files { try disk.model.write(path(file), Array(file.utf8)) }
        return disk
    }

    private func path(_ text: String) -> [String] { text.split(separator: "/").map(String.init) }

    private func seen(_ disk: SimulatedDisk) throws -> [Place: ContentHash?] {
        var scan = try FolderScan(
            disk, synced: SyncedTree(rootId: "root"), previous: nil, now: Timestamp(seconds: 1_795_000_100))
        let local = try scan.run().local
        return local.tree.subtree(of: .root).reduce(into: [:]) { $0[local.tree.place(of: $1)] = local[$1].hash }
    }
}

/// Does one thing in the folder while it is looked at.
private final class Someone: AroundDisk, @unchecked Sendable {
    weak var disk: SimulatedDisk?
    var turn = 0
    var deed: (SimulatedDisk) throws -> Void = { _ in }
    private var calls = 0

    var isDone: Bool { calls >= turn }

    func beforeCall() throws(ClientFailure) {
        guard let disk else { return }
        calls += 1
        guard calls == turn else { return }
        do {
            try deed(disk)
        } catch {
            throw ClientFailure(.diskFailed, "\(error)")
        }
    }

    func afterCall() throws(ClientFailure) {}
}

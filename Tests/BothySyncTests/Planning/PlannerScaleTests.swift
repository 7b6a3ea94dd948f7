import BothyContract
import BothySync
import Foundation
import Testing

/// Large trees: what is planned grows with what changed, and the time with the tree and no faster.
@Suite struct PlannerScaleTests {
    static func tree(files: Int) -> PlannedWorld {
        var world = PlannedWorld()
        for folder in 0..<max(files / 100, 1) {
            let id = "d\(folder)"
            let name = NodeName("folder \(folder)")
            let stamp = LocalStamp(inode: UInt64(1_000_000 + folder))
            let here = LocalFacts(kind: .folder, stamp: stamp)
            let there = RemoteFacts(id: id, kind: .folder)
            world.local.put(here, at: Place([name]))
            world.remote.put(there, named: name, under: "root")
            world.synced.put(SyncedFacts(remote: there, remoteName: name, local: here), named: name, under: "root")
            for file in 0..<100 {
                let number = folder * 100 + file
                let (name, place) = (NodeName("\(file).txt"), Place([name, NodeName("\(file).txt")]))
                let stamp = LocalStamp(inode: UInt64(2_000_000 + number), size: 7)
                let here = LocalFacts(kind: .file, stamp: stamp, hash: PlannedWorld.hash(number))
                let there = RemoteFacts(
                    id: "f\(number)", kind: .file, checksum: PlannedWorld.hash(number), size: 7)
                world.local.put(here, at: place)
                world.remote.put(there, named: name, under: id)
                world.synced.put(SyncedFacts(remote: there, remoteName: name, local: here), named: name, under: id)
            }
        }
        return world
    }

    @Test func aTreeAtRestHasNoPlan_andAChangeHasOneAction() {
        var world = Self.tree(files: 5_000)
        #expect(world.plan().isEmpty)
        world.write("folder 3/7.txt", 8)
        #expect(world.plan().actions.outlines == ["upload folder 3/7.txt"])
    }

    /// Quadratic would be 144 times. What the thread itself has worked is counted, not what others made it wait.
    @Test func twelveTimesTheTreeTakesNotSixtyTimesAsLong() {
        func worked() -> Int {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return time.tv_sec * 1_000_000_000 + time.tv_nsec
        }
        func best(_ files: Int) -> Int {
            let world = Self.tree(files: files)
            return (0..<3).map { _ in
                let start = worked()
                _ = world.plan()
                return worked() - start
            }.min()!
        }
        let (small, large) = (best(500), best(6_000))
        #expect(large < small * 60, "\(small) ns, then \(large) ns")
    }

    @Test func aThousandFilesInAFolderThatIsRenamedWhileTheOtherSideEdits() throws {
        var world = Self.tree(files: 1_000)
        for folder in 0..<10 { world.move(Place(text: "folder \(folder)"), to: Place(text: "renamed \(folder)")) }
        for number in 0..<50 { world.writeThere(Place(text: "folder 4/\(number).txt"), 5_000 + number) }
        let plan = world.plan()
        #expect(plan.actions.count == 60)
        for action in plan.actions { try world.execute(action) }
        #expect(world.plan().isEmpty && world.id("renamed 4/7.txt") != nil)
    }

    /// Folders one in another, two hundred deep.
    @Test func aDirectoryTwoHundredDeep() throws {
        var world = PlannedWorld()
        var place = Place.root
        for depth in 0..<200 {
            place = place.appending(NodeName("d\(depth)"))
            world.makeFolder(place)
        }
        world.write(place.appending("x"), 1)
        for action in world.plan().actions { try world.execute(action) }
        #expect(world.plan().isEmpty && world.id(place.appending("x")) != nil)
    }
}

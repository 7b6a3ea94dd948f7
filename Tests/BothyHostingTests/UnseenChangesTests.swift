import BothyClient
import BothyContract
import FolderConformance
import Testing

/// Who deletes something in the server's own web app deletes what the page has shown, and nothing that others have put
/// there since.
@Suite struct UnseenChangesTests {
    @Test func whatWasNotSeenSurvivesADeletion() async throws {
        try await inWorld { world in
            let other = try await world.otherDevice()
            try await FolderConformance.whatWasNotSeenSurvivesADeletion(world) { name, folder in
                try await world.put(name, [1], in: folder, by: other.deviceId)
            } isThere: { file in
                try await other.folders.item(file).name == "theirs.txt"
            }
        }
        let folders = MadeUpFolders()
        try await FolderConformance.whatWasNotSeenSurvivesADeletion(folders) { name, folder in
            folders.putElsewhere(name, in: folder)
        } isThere: { file in
            try await folders.item(file).name == "theirs.txt"
        }
    }

    @Test func whatWasDoneFromHereGoesWithItsFolder() async throws {
        try await inWorld { try await FolderConformance.whatWasDoneFromHereGoesWithItsFolder($0) }
        try await FolderConformance.whatWasDoneFromHereGoesWithItsFolder(MadeUpFolders())
    }

    @Test func aFolderThatChangedIsKeptUntilItIsLookedAtAgain() async throws {
        try await inWorld { world in
            let (docs, other) = (try await folder("docs", in: world), try await world.otherDevice())
            let inner = try await folder("inner", in: world, docs)
            let seen = try await mark(world)
            let file = try await world.put("theirs.txt", [1], in: inner, by: other.deviceId)
            #expect(
                await refusal(of: docs, seen: seen, world)
                    == "Something in “docs” has changed since it was shown. Check it again, then delete it.")
            #expect(await refusal(of: inner, seen: seen, world) != nil)
            #expect(try await world.folders.item(file).name == "theirs.txt")
            #expect(try await refusal(of: docs, seen: mark(world), world) == nil)
            await #expect(throws: ClientFailure.self) { _ = try await world.folders.item(file) }
        }
    }

    /// What happens elsewhere in the drive is none of the folder's.
    @Test func whatOthersDoElsewhereKeepsNothing() async throws {
        try await inWorld { world in
            let (docs, elsewhere) = (try await folder("docs", in: world), try await folder("elsewhere", in: world))
            let (seen, other) = (try await mark(world), try await world.otherDevice())
            try await world.put("theirs.txt", [1], in: elsewhere, by: other.deviceId)
            _ = try await other.actions.rename(docs, to: "papers")
            #expect(await refusal(of: docs, seen: seen, world) == nil)
            #expect(await refusal(of: elsewhere, seen: seen, world) != nil)
        }
    }

    @Test func whatOthersMovedAwayIsNotInTheFolderAnyMoreAndWhatTheyMovedInIs() async throws {
        try await inWorld { world in
            let (from, to) = (try await folder("from", in: world), try await folder("to", in: world))
            let file = try await world.put("a.txt", [1], in: from)
            let (seen, other) = (try await mark(world), try await world.otherDevice())
            _ = try await other.actions.move(file, to: to)
            #expect(await refusal(of: from, seen: seen, world) == nil)
            #expect(await refusal(of: to, seen: seen, world) != nil)
        }
    }

    /// A look that was taken before a folder was moved does not know what the folder took along.
    @Test func whatWasMovedFromHereTakesAlongWhatOthersPutIntoIt() async throws {
        try await inWorld { world in
            let (moving, target) = (try await folder("moving", in: world), try await folder("target", in: world))
            let (seen, other) = (try await mark(world), try await world.otherDevice())
            let file = try await world.put("theirs.txt", [1], in: moving, by: other.deviceId)
            #expect(await refusal(of: moving, seen: seen, world) != nil)
            _ = try await world.actions.move(moving, to: target)
            #expect(await refusal(of: target, seen: seen, world) != nil)
            #expect(try await world.folders.item(file).name == "theirs.txt")
        }
    }

    @Test func aFileWithContentThatNobodyHereHasSeenIsKept() async throws {
        try await inWorld { world in
            let other = try await world.otherDevice()
            let (edited, starred) = (
                try await world.put("edited", [1], in: .root), try await world.put("starred", [1], in: .root)
            )
            let (mine, seen) = (try await world.put("mine", [1], in: .root), try await mark(world))
            try await world.put("edited", [2, 2], in: .root, by: other.deviceId)
            try await world.put("mine", [2, 2], in: .root)
            _ = try await other.actions.setStarred(true, starred)
            #expect(
                await refusal(of: edited, seen: seen, world)
                    == "“edited” has changed since it was shown. Check it again, then delete it.")
            #expect(await refusal(of: starred, seen: seen, world) == nil)
            #expect(await refusal(of: mine, seen: seen, world) == nil)
            #expect(try await refusal(of: edited, seen: mark(world), world) == nil)
        }
    }

    @Test func aPageOfAnotherPastDeletesNothing() async throws {
        try await inWorld { world in
            let docs = try await folder("docs", in: world)
            for text in ["", "nonsense", "c1.1.zzz.1"] {
                #expect(await refusal(of: docs, seen: FolderMark(text), world) != nil)
            }
            #expect(try await world.folders.item(docs).name == "docs")
            let seen = try await mark(world)
            await #expect(throws: ClientFailure.self) {
                try await world.actions.trash(ItemID("nobody"), seen: seen)
            }
        }
    }

    @Test func ofManyThatGoSideBySideThoseThatChangedStay() async throws {
        try await inWorld { world in
            let other = try await world.otherDevice()
            var ids = [ItemID]()
            for number in 0..<200 { ids.append(try await folder("folder \(number)", in: world)) }
            let seen = try await mark(world)
            for number in [3, 77, 199] { try await world.put("theirs", [1], in: ids[number], by: other.deviceId) }
            let actions = world.actions
            let kept = await withTaskGroup(of: ItemID?.self) { group in
                for id in ids {
                    group.addTask {
                        do {
                            try await actions.trash(id, seen: seen)
                            return nil
                        } catch {
                            return id
                        }
                    }
                }
                return await group.reduce(into: Set<ItemID>()) { kept, id in if let id { kept.insert(id) } }
            }
            #expect(kept == [ids[3], ids[77], ids[199]])
            #expect(try await Set(world.folders.everything(in: .root)) == kept)
        }
    }

    private func folder(_ name: String, in world: HostedWorld, _ parent: ItemID = .root) async throws -> ItemID {
        try await world.add(name, isFolder: true, bytes: 0, to: parent)
    }

    private func mark(_ world: HostedWorld) async throws -> FolderMark {
        try await world.folders.window(of: .root, order: .name, 0..<9).mark
    }

    /// In what words the deletion is refused; nil where it is done.
    private func refusal(of id: ItemID, seen: FolderMark, _ world: HostedWorld) async -> String? {
        do {
            try await world.actions.trash(id, seen: seen)
            return nil
        } catch let failure as ClientFailure where failure.code == .changedMeanwhile {
            return failure.words
        } catch {
            Issue.record(error)
            return nil
        }
    }

    private func inWorld(_ body: (HostedWorld) async throws -> Void) async throws {
        let world = try await HostedWorld.open()
        do {
            try await body(world)
        } catch {
            try await world.close()
            throw error
        }
        try await world.close()
    }
}

import BothyContract
import Simulation
import Testing

/// What the model says beyond what every drive does: the rules of API.md that folder sync leans on.
@Suite struct ServerModelTests {
    private var model = ServerModel()

    private mutating func folder(_ name: String, in parentId: String = File.rootId) throws -> File {
        let request = CreateFileRequest(
            requestId: nil, name: name, mimeType: File.folderMimeType, parentId: parentId)
        return try #require(try model.perform(.create(request)).file)
    }

    private mutating func put(
        _ name: String, _ bytes: [UInt8], in parentId: String = File.rootId, of fileId: String? = nil,
        base: String? = nil, conflict: ConflictPolicy? = nil
    ) throws -> File {
        let request = UploadRequest(
            requestId: nil, name: name, parentId: parentId, fileId: fileId, baseRevisionId: base, conflict: conflict)
        return try #require(try model.perform(.upload(request, content: bytes)).file)
    }

    private mutating func code(_ call: ServerCall) -> OpenWord<ProblemCode>? {
        do {
            _ = try model.perform(call)
            return nil
        } catch {
            return error.code
        }
    }

    @Test mutating func untrashingBringsMissingParentsBackUnderFreeNames() throws {
        let top = try folder("top")
        let middle = try folder("middle", in: top.id)
        let file = try put("x", [1], in: middle.id)
        for id in [file.id, middle.id, top.id] { _ = try model.perform(.delete(id, ServerDeletion())) }
        _ = try folder("top")
        let before = model.cursor
        _ = try model.perform(.update(file.id, UpdateFileRequest(trashed: false), ifMatch: nil))
        let changes = try model.changes(after: before, limit: 100).changes
        #expect(changes.map(\.id) == [top.id, middle.id, file.id])
        #expect(model.livePaths["/top (1)/middle/x"] != nil)
    }

    @Test mutating func anEditBringsAFileBackFromTheTrash() throws {
        let top = try folder("top")
        let file = try put("x", [1], in: top.id)
        _ = try model.perform(.delete(top.id, ServerDeletion()))
        _ = try put("x", [2], of: file.id)
        #expect(model.livePaths.keys.sorted() == ["/top/", "/top/x"])
    }

    @Test mutating func anEditOfAnOldRevisionMayFork() throws {
        let file = try put("x.txt", [1])
        _ = try put("x.txt", [2], of: file.id, base: file.headRevisionId)
        let fork = try put("x.txt", [3], of: file.id, base: file.headRevisionId, conflict: .fork)
        #expect(fork.name == "x (1).txt" && fork.id != file.id)
    }

    @Test mutating func whatMovedInCountsAsNewAndWhatMovedOutDoesNot() throws {
        let (top, outside) = (try folder("top"), try folder("outside"))
        let inside = try folder("inside", in: top.id)
        let seen = model.cursor
        _ = try model.perform(.update(inside.id, UpdateFileRequest(parentId: File.rootId), ifMatch: nil))
        _ = try model.perform(.update(outside.id, UpdateFileRequest(parentId: top.id), ifMatch: nil))
        #expect(code(.delete(top.id, ServerDeletion(asOf: seen))) == .subtreeChanged)
        _ = try model.perform(.update(outside.id, UpdateFileRequest(parentId: File.rootId), ifMatch: nil))
        #expect(code(.delete(top.id, ServerDeletion(asOf: seen))) == nil)
    }

    @Test mutating func aRestoredServerKnowsNoCursorAndNoTagOfItsOtherLife() throws {
        let file = try put("x", [1])
        let (backup, seen) = (model, model.cursor)
        _ = try put("y", [2])
        model.restore(from: backup)
        #expect(throws: Problem.self) { try model.changes(after: seen, limit: 10) }
        #expect(
            code(.update(file.id, UpdateFileRequest(name: "z"), ifMatch: EntityTag(epoch: 1, version: 1)))
                == .versionMismatch)
        #expect(try put("y", [2]).id != file.id)
    }

    @Test mutating func theTrashEmptiesItselfByLivedTimeAndNotByTheCalendar() throws {
        let file = try put("x", [1])
        _ = try model.perform(.delete(file.id, ServerDeletion()))
        model.now = model.now.adding(seconds: 400 * 86_400)
        model.live(seconds: 3600)
        #expect(model.trash.count == 1)
        model.live(seconds: 31 * 86_400)
        #expect(model.trash.isEmpty && model.reachableContent.isEmpty)
        #expect(try model.deletions(since: nil, page: nil, limit: 10).deletions.map(\.path) == ["/x"])
    }

    @Test mutating func aForgottenLogExpiresTheCursorsBeforeItAndNoOther() throws {
        let start = model.cursor
        _ = try folder("a")
        model.forgetLog()
        #expect(throws: Problem.self) { try model.changes(after: start, limit: 10) }
        #expect(try model.changes(after: model.cursor, limit: 10).changes.isEmpty)
    }

    @Test mutating func aLinkByPagesTellsFoldersBeforeWhatWasMovedIntoThem() throws {
        let file = try put("file", [1])
        let (young, younger) = (try folder("young"), try folder("younger"))
        _ = try model.perform(.update(file.id, UpdateFileRequest(parentId: young.id), ifMatch: nil))
        _ = try model.perform(.update(young.id, UpdateFileRequest(parentId: younger.id), ifMatch: nil))
        for limit in [1, 2, 3, 100] {
            var (cursor, known): (String?, Set<String>) = (nil, [])
            while true {
                let page = try model.changes(after: cursor, limit: limit)
                for change in page.changes {
                    if let parentId = change.file?.parentId { #expect(known.contains(parentId), "by \(limit)") }
                    known.insert(change.id)
                }
                cursor = page.cursor
                if !page.hasMore { break }
            }
            #expect(known == [File.rootId, file.id, young.id, younger.id])
        }
    }

    @Test mutating func aFullQuotaRefusesNewBytesAndTakesOldOnes() throws {
        model.quotaLimit = 3
        let file = try put("x", [1, 2])
        #expect(code(.upload(UploadRequest(requestId: nil, name: "y"), content: [3, 4])) == .quotaExceeded)
        #expect(try put("y", [1, 2]).checksum == file.checksum)
    }
}

import BothyClient
import BothyContract

extension DriveConformance {
    static let changeChecks = [
        ConformanceCheck(name: "a first link tells everything, folders before what is in them") { test in
            let outer = try await test.drive.createFolder(named: "outer", in: File.rootId, requestId: "r1")
            let inner = try await test.drive.createFolder(named: "inner", in: outer.id, requestId: "r2")
            let file = try await test.put("a", [1], in: inner.id, request: "r3")
            var seen = Set<String>()
            for change in try await test.changes(after: nil).changes {
                if let parent = change.file?.parentId {
                    try require(seen.contains(parent), "\(change.id) came before its folder")
                }
                seen.insert(change.id)
            }
            try require(seen.isSuperset(of: [outer.id, inner.id, file.id]), "something is missing")
            try require(seen.contains(File.rootId), "the root is missing")
        },
        ConformanceCheck(name: "a cursor tells what came after it, and nothing else") { test in
            _ = try await test.drive.createFolder(named: "before", in: File.rootId, requestId: "r1")
            let cursor = try await test.drive.cursor()
            try require(try await test.changes(after: cursor).changes.isEmpty, "something before the cursor")
            let made = try await test.other.createFolder(named: "after", in: File.rootId, requestId: "r2")
            let files = try await test.changes(after: cursor).changes.filter { $0.kind == .file }
            try require(files.map(\.id) == [made.id], "\(files)")
            try require(files.first?.file == made, "told otherwise than answered: \(files) and \(made)")
        },
        ConformanceCheck(name: "an entity comes once a page, at its newest state") { test in
            let cursor = try await test.drive.cursor()
            let folder = try await test.drive.createFolder(named: "a", in: File.rootId, requestId: "r1")
            for number in 0..<3 {
                _ = try await test.drive.update(
                    folder.id, .init(name: "a\(number)"), seen: nil, requestId: "n\(number)")
            }
            let changes = try await test.changes(after: cursor).changes.filter { $0.id == folder.id }
            try require(changes.count == 1 && changes.first?.file?.name == "a2", "\(changes)")
        },
        ConformanceCheck(name: "trashing a folder is one change, and what lies in it comes back with it") { test in
            let folder = try await test.drive.createFolder(named: "a", in: File.rootId, requestId: "r1")
            let file = try await test.put("b", [1], in: folder.id, request: "r2")
            let cursor = try await test.drive.cursor()
            let version = try await test.drive.trash(folder.id, seen: .anything, requestId: "r3")
            let changes = try await test.changes(after: cursor).changes.filter { $0.kind == .file }
            try require(changes.map(\.id) == [folder.id] && changes.first?.file?.trashed == true, "\(changes)")
            try require(changes.first?.file?.version == version, "the answered version is another one")
            let inside = try await test.drive.file(file.id)
            try require(inside.trashed && inside.trashedAt == nil, "\(inside)")
            _ = try await test.drive.update(folder.id, .init(trashed: false), seen: nil, requestId: "r4")
            try require(!(try await test.drive.file(file.id).trashed), "it stayed in the trash")
        },
        ConformanceCheck(name: "what is gone for good is told as removed, and remembered") { test in
            let folder = try await test.drive.createFolder(named: "a", in: File.rootId, requestId: "r1")
            let file = try await test.put("b", [1], in: folder.id, request: "r2")
            let cursor = try await test.drive.cursor()
            try await test.drive.deletePermanently(file.id, seen: .anything, requestId: "r3")
            let changes = try await test.changes(after: cursor).changes.filter { $0.kind == .file }
            try require(changes == [Change(kind: .file, id: file.id, removed: true)], "\(changes)")
            guard test.drive.capabilities.contains(.deletionMemory) else { return }
            let memory = try await test.drive.deletions(since: nil, page: nil).deletions
            let found = memory.first { $0.fileId == file.id }
            try require(found?.path == "/a/b" && found?.checksum == file.checksum, "\(memory)")
        },
        ConformanceCheck(name: "what its answers told of one's own changes is what the log tells, or nothing") { test in
            let folder = try await test.drive.createFolder(named: "a", in: File.rootId, requestId: "r1")
            let start = try await test.drive.cursor()
            _ = try await test.drive.update(folder.id, .init(name: "b"), seen: nil, requestId: "r2")
            let made = try await test.drive.createFolder(named: "c", in: File.rootId, requestId: "r3")
            guard let page = await test.drive.ownChanges(after: start) else { return }
            let told = try await test.changes(after: start)
            try require(page.changes.map(\.id) == [folder.id, made.id], "\(page)")
            try require(page.changes.map(\.file?.version) == told.changes.map(\.file?.version), "\(page) and \(told)")
            try require(
                page.changes.map(\.file?.name) == ["b", "c"] && page.cursor == told.cursor, "\(page) and \(told)")
            try require(page.hasMore, "it says that nobody has done anything since")
        },
        ConformanceCheck(name: "what answers told of files that were sent together is what the log tells") { test in
            let folder = try await test.drive.createFolder(named: "a", in: File.rootId, requestId: "r1")
            let start = try await test.drive.cursor()
            let uploads = try (0..<9).map { number in
                DriveUpload(
                    requestId: "s\(number)", localPath: try test.write("\(number).bytes", [UInt8(number % 4)]),
                    name: "n\(number)", parentId: folder.id)
            }
            for sent in await test.drive.upload(uploads) { _ = try sent.get() }
            let told = try await test.changes(after: start)
            let (begun, whole) = (
                await test.drive.beginningOfOwnChanges(after: start), await test.drive.ownChanges(after: start)
            )
            for page in [begun, whole].compactMap(\.self) {
                func files(_ changes: [Change]) -> [File?] {
                    changes.map { change in
                        var file = change.file
                        file?.downloadUrl = nil
                        return file
                    }
                }
                try require(files(page.changes) == files(told.changes), "\(page) and \(told)")
                try require(page.cursor == told.cursor && page.hasMore, "\(page) and \(told)")
            }
        },
        ConformanceCheck(name: "somebody else's change among one's own is left to the log") { test in
            let folder = try await test.drive.createFolder(named: "a", in: File.rootId, requestId: "r1")
            for theirs in 0..<3 {
                let start = try await test.drive.cursor()
                for step in 0..<3 {
                    if step == theirs {
                        _ = try await test.other.createFolder(named: "x\(step)", in: File.rootId, requestId: "x\(step)")
                    }
                    let name = "\(theirs)-\(step)"
                    _ = try await test.drive.update(folder.id, .init(name: name), seen: nil, requestId: "n\(name)")
                }
                let page = await test.drive.ownChanges(after: start)
                try require(page == nil, "before the change \(theirs): \(String(describing: page))")
            }
        },
        ConformanceCheck(name: "what changed nothing, and what came back along, is left to the log") { test in
            let folder = try await test.drive.createFolder(named: "a", in: File.rootId, requestId: "r1")
            let file = try await test.put("b", [1], in: folder.id, request: "r2")
            _ = try await test.drive.trash(folder.id, seen: .anything, requestId: "r3")
            let trashed = try await test.drive.cursor()
            _ = try await test.drive.update(file.id, .init(trashed: false), seen: nil, requestId: "r4")
            try require(await test.drive.ownChanges(after: trashed) == nil, "the folder's change is passed over")
            let back = try await test.drive.cursor()
            _ = try await test.other.createFolder(named: "x", in: File.rootId, requestId: "r5")
            _ = try await test.drive.update(file.id, .init(name: "b"), seen: nil, requestId: "r6")
            try require(await test.drive.ownChanges(after: back) == nil, "somebody else's change is passed over")
        },
        ConformanceCheck(name: "a cursor that no server wrote is expired") { test in
            do {
                _ = try await test.drive.changes(after: "c1.zz.zz.zz")
            } catch let failure as ClientFailure {
                return try require(failure.problem?.code == .cursorExpired, "\(failure)")
            }
            throw Nonconformance(description: "it was taken")
        },
    ]

    static let conditionChecks = [
        ConformanceCheck(name: "a change to a version that is no more is refused, and nothing happens") { test in
            let folder = try await test.drive.createFolder(named: "a", in: File.rootId, requestId: "r1")
            let seen = SeenVersion(version: folder.version, cursor: try await test.drive.cursor())
            _ = try await test.other.update(folder.id, .init(name: "b"), seen: seen, requestId: "r2")
            try await requireFailure(.changedMeanwhile, of: "an old version") {
                _ = try await test.drive.update(folder.id, .init(name: "c"), seen: seen, requestId: "r3")
            }
            try require(try await test.drive.file(folder.id).name == "b", "it was renamed all the same")
        },
        ConformanceCheck(name: "a folder is not deleted over an edit that was not seen") { test in
            let folder = try await test.drive.createFolder(named: "a", in: File.rootId, requestId: "r1")
            let file = try await test.put("b", [1], in: folder.id, request: "r2")
            let cursor = try await test.drive.cursor()
            _ = try await test.put("b", [2], request: "r3", of: file.id, base: file.headRevisionId)
            try await requireFailure(.changedMeanwhile, of: "a folder that changed below") {
                _ = try await test.drive.trash(folder.id, seen: .subtree(cursor: cursor), requestId: "r4")
            }
            try require(!(try await test.drive.file(folder.id).trashed), "it was trashed all the same")
            let now = try await test.drive.cursor()
            _ = try await test.drive.trash(folder.id, seen: .subtree(cursor: now), requestId: "r4")
        },
        ConformanceCheck(name: "what was moved since it was seen is not deleted") { test in
            let folder = try await test.drive.createFolder(named: "a", in: File.rootId, requestId: "r1")
            let seen = SeenVersion(version: folder.version, cursor: try await test.drive.cursor())
            _ = try await test.other.update(folder.id, .init(name: "b"), seen: nil, requestId: "r2")
            try await requireFailure(.changedMeanwhile, of: "a folder that was renamed") {
                _ = try await test.drive.trash(folder.id, seen: .anything, version: seen, requestId: "r3")
            }
            try require(!(try await test.drive.file(folder.id).trashed), "it was trashed all the same")
        },
        ConformanceCheck(name: "a file is not deleted over a revision that was not seen") { test in
            let file = try await test.put("b", [1], request: "r1")
            guard let head = file.headRevisionId else { throw Nonconformance(description: "no head: \(file)") }
            _ = try await test.put("b", [2], request: "r2", of: file.id, base: head)
            try await requireFailure(.revisionConflict, of: "an old head") {
                _ = try await test.drive.trash(file.id, seen: .head(revisionId: head), requestId: "r3")
            }
            try require(!(try await test.drive.file(file.id).trashed), "it was trashed all the same")
        },
    ]
}

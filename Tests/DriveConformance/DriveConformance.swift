import BothyClient
import BothyContract

/// What holds for every `DriveProvider`. A test runs each check on a fresh drive:
///
///     @Test(arguments: DriveConformance.checks) func holds(_ check: ConformanceCheck) async throws {
///         try await check.run(on: …)
///     }
public enum DriveConformance {
    public static var checks: [ConformanceCheck] {
        identityChecks + requestChecks + changeChecks + conditionChecks + contentChecks + nameChecks
    }

    static let identityChecks = [
        ConformanceCheck(name: "it says who is signed in, the same on each device") { test in
            let (here, there) = (try await test.drive.authenticate(), try await test.other.authenticate())
            try require(here.accountId == there.accountId, "two accounts: \(here) and \(there)")
            try require(here.deviceId != there.deviceId, "two devices have one id")
        },
        ConformanceCheck(name: "the quota grows by what is sent") { test in
            let before = try await test.drive.quota().used
            _ = try await test.put("a", [UInt8](repeating: 7, count: 5000), request: "r1")
            let after = try await test.drive.quota().used
            try require(after >= before + 5000, "\(before) before, \(after) after 5000 bytes")
        },
    ]

    static let requestChecks = [
        ConformanceCheck(name: "a request id makes a folder once") { test in
            let first = try await test.drive.createFolder(named: "docs", in: File.rootId, requestId: "r1")
            let again = try await test.drive.createFolder(named: "docs", in: File.rootId, requestId: "r1")
            try require(first.id == again.id && first.requestId == "r1", "\(first) and \(again)")
            try require(first.isFolder && first.version >= 1, "\(first)")
        },
        ConformanceCheck(name: "a request id moves once, though another has moved it since") { test in
            let folder = try await test.drive.createFolder(named: "a", in: File.rootId, requestId: "r1")
            let renamed = try await test.drive.update(folder.id, .init(name: "b"), seen: nil, requestId: "r2")
            _ = try await test.other.update(folder.id, .init(name: "c"), seen: nil, requestId: "r3")
            let again = try await test.drive.update(folder.id, .init(name: "b"), seen: nil, requestId: "r2")
            try require(again.version == renamed.version, "answered anew: \(again)")
            try require(try await test.drive.file(folder.id).name == "c", "the repeated request acted again")
        },
        ConformanceCheck(name: "a request id trashes once, though it was brought back since") { test in
            let file = try await test.put("a", [1], request: "r1")
            let version = try await test.drive.trash(file.id, seen: .anything, requestId: "r2")
            _ = try await test.other.update(file.id, .init(trashed: false), seen: nil, requestId: "r3")
            let again = try await test.drive.trash(file.id, seen: .anything, requestId: "r2")
            try require(again == version, "answered anew: \(again)")
            try require(!(try await test.drive.file(file.id).trashed), "the repeated request acted again")
        },
        ConformanceCheck(name: "a request id sends a file once") { test in
            let file = try await test.put("a", [1, 2, 3], request: "r1")
            let again = try await test.put("a", [1, 2, 3], request: "r1")
            try require(file.id == again.id && file.version == again.version, "\(file) and \(again)")
            let id = file.requestId ?? ""
            try require(id == "r1" || id.hasPrefix("r1-"), "the file does not say which request made it: \(id)")
        },
        ConformanceCheck(name: "what came of a request is told as it was, though others went on") { test in
            let folder = try await test.drive.createFolder(named: "a", in: File.rootId, requestId: "r1")
            let file = try await test.put("b", [1, 2], request: "r2")
            _ = try await test.drive.trash(file.id, seen: .anything, requestId: "r3")
            _ = try await test.other.update(folder.id, .init(name: "c"), seen: nil, requestId: "r4")
            try await test.other.deletePermanently(file.id, seen: .anything, requestId: "r5")
            let made = try await test.drive.end(of: "r1", withdrawing: false)
            guard case .done(let madeFolder?) = made, madeFolder.id == folder.id, madeFolder.name == "a" else {
                throw Nonconformance(description: "of the folder: \(made)")
            }
            let sent = try await test.drive.end(of: "r2", withdrawing: true)
            guard case .done(let sentFile?) = sent, sentFile.id == file.id, sentFile.checksum == file.checksum else {
                throw Nonconformance(description: "of the file: \(sent)")
            }
            guard case .done = try await test.drive.end(of: "r3", withdrawing: true) else {
                throw Nonconformance(description: "it does not say that it trashed the file")
            }
            try require(try await test.drive.end(of: "r9", withdrawing: false) == .nothing, "of no request")
        },
        ConformanceCheck(name: "what is withdrawn never happens") { test in
            try require(try await test.drive.end(of: "r1", withdrawing: true) == .nothing, "of no request")
            try await requireFailure(.refused, of: "a withdrawn request") {
                _ = try await test.drive.createFolder(named: "a", in: File.rootId, requestId: "r1")
            }
            try require(try await test.drive.end(of: "r1", withdrawing: true) == .nothing, "of a withdrawn request")
            _ = try await test.drive.createFolder(named: "a", in: File.rootId, requestId: "r2")
        },
        ConformanceCheck(name: "a refused request may be tried again under its id") { test in
            let there = try await test.drive.createFolder(named: "a", in: File.rootId, requestId: "r1")
            try await requireFailure(.nameConflict, of: "a taken name") {
                _ = try await test.drive.createFolder(named: "a", in: File.rootId, requestId: "r2")
            }
            _ = try await test.drive.update(there.id, .init(name: "b"), seen: nil, requestId: "r3")
            let made = try await test.drive.createFolder(named: "a", in: File.rootId, requestId: "r2")
            try require(made.id != there.id, "no new folder was made")
        },
    ]

    static let nameChecks = [
        ConformanceCheck(name: "two siblings never have one name, however it is spelled in Unicode") { test in
            _ = try await test.drive.createFolder(named: "é", in: File.rootId, requestId: "r1")
            try await requireFailure(.nameConflict, of: "the same name in NFD") {
                _ = try await test.drive.createFolder(named: "e\u{301}", in: File.rootId, requestId: "r2")
            }
            _ = try await test.drive.createFolder(named: "É", in: File.rootId, requestId: "r3")
        },
        ConformanceCheck(name: "names that no file can have are refused") { test in
            for (number, name) in ["", ".", "..", "a/b", String(repeating: "n", count: 256)].enumerated() {
                try await requireFailure(.invalidName, of: "the name “\(name.prefix(9))”") {
                    _ = try await test.drive.createFolder(named: name, in: File.rootId, requestId: "r\(number)")
                }
            }
        },
        ConformanceCheck(name: "a folder never moves into itself") { test in
            let outer = try await test.drive.createFolder(named: "outer", in: File.rootId, requestId: "r1")
            let inner = try await test.drive.createFolder(named: "inner", in: outer.id, requestId: "r2")
            try await requireFailure(.refused, of: "a circle") {
                _ = try await test.drive.update(outer.id, .init(parentId: inner.id), seen: nil, requestId: "r3")
            }
        },
        ConformanceCheck(name: "nothing goes into a folder that is in the trash or gone") { test in
            let folder = try await test.drive.createFolder(named: "a", in: File.rootId, requestId: "r1")
            _ = try await test.drive.trash(folder.id, seen: .anything, requestId: "r2")
            try await requireFailure(.parentGone, of: "into a trashed folder") {
                _ = try await test.drive.createFolder(named: "b", in: folder.id, requestId: "r3")
            }
            try await test.drive.deletePermanently(folder.id, seen: .anything, requestId: "r4")
            try await requireFailure(.parentGone, of: "into a folder that is gone") {
                _ = try await test.put("b", [1], in: folder.id, request: "r5")
            }
            try await requireFailure(.notFound, of: "asking for what is gone") {
                _ = try await test.drive.file(folder.id)
            }
        },
        ConformanceCheck(name: "a name in the trash is free, and coming back takes a counter") { test in
            let first = try await test.put("a.txt", [1], request: "r1")
            _ = try await test.drive.trash(first.id, seen: .anything, requestId: "r2")
            _ = try await test.put("a.txt", [2], request: "r3")
            let back = try await test.drive.update(first.id, .init(trashed: false), seen: nil, requestId: "r4")
            try require(back.name == "a (1).txt" && !back.trashed, "it came back as “\(back.name)”")
        },
    ]
}

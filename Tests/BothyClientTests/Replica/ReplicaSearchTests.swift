import BothyClient
import BothyContract
import Testing

/// What a device finds itself, and what it makes of what the server has found.
@Suite struct ReplicaSearchTests {
    private let saffron = NameWords.terms(of: "saffron")

    /// A replica that knows a folder “recipes” with a file of each name, and the drive that it is of.
    private func replica(_ names: [String]) async throws -> (TestEngine, folder: String, files: [String: File]) {
        let drive = PaperDrive()
        let writer = drive.from("writer")
        let folder = try await writer.createFolder(named: "recipes", in: File.rootId, requestId: "recipes")
        var files = [String: File]()
        for name in names {
            files[name] = try await writer.createFolder(named: name, in: folder.id, requestId: name)
        }
        let here = try TestEngine(drive)
        try await here.engine.pull()
        return (here, folder.id, files)
    }

    private func result(
        _ file: File?, _ match: SearchResponse.Match = .text, _ excerpt: [SearchResponse.Stretch]? = nil
    ) throws -> SearchResponse.Result {
        SearchResponse.Result(file: try #require(file), path: "/recipes", match: match, excerpt: excerpt)
    }

    private func found(_ here: TestEngine, _ results: [SearchResponse.Result]) async throws -> [FoundItem] {
        try await here.engine.found(results, for: saffron, asOf: try await here.engine.state().cursor).items
    }

    @Test func aTextThatTheServerHasFoundIsShownUnderTheIdAndTheNameThatItHasHere() async throws {
        let (here, _, files) = try await replica(["soup"])
        let luid = try await here.luid(of: files["soup"])
        try await here.engine.record(.rename(name: "stew"), on: luid)
        let excerpt = [SearchResponse.Stretch("Saffron", isFound: true)]
        let items = try await found(here, [try result(files["soup"], .text, excerpt)])
        #expect(items.map(\.item.name) == ["stew"] && items.map(\.id) == [luid.item])
        #expect(
            items.map(\.above) == [["recipes"]] && items.map(\.match.known) == [.text] && items[0].excerpt == excerpt)
    }

    @Test func whatIsInTheTrashHereOrIsCalledOtherwiseByNowIsNotFound() async throws {
        let (here, _, files) = try await replica(["saffron one", "saffron two", "saffron three"])
        for (name, action) in [
            ("saffron one", JournalOperation.Action.trash(seen: .anything)), ("saffron two", .rename(name: "x")),
        ] {
            let luid = try await here.luid(of: files[name])
            try await here.engine.record(action, on: luid)
        }
        let results = try ["saffron one", "saffron two", "saffron three"].map { try result(files[$0], .name) }
        #expect(try await found(here, results).map(\.item.name) == ["saffron three"])
    }

    @Test func whatCameToTheServerJustNowIsAskedForAndShown() async throws {
        let (here, folder, _) = try await replica([])
        let new = try await here.drive.from("writer").createFolder(named: "new", in: folder, requestId: "new")
        #expect(try await found(here, [try result(new)]).map(\.item.name) == ["new"])
    }

    @Test func whatWasLetGoWithItsFoldersFilesIsKnownAgainAndTheOthersAreNot() async throws {
        let drive = PaperDrive()
        let folder = try await drive.from("writer").createFolder(
            named: "recipes", in: File.rootId, requestId: "recipes")
        drive.fill(folder.id, count: 60)
        let here = try TestEngine(drive)
        try await here.engine.pull()
        let luid = try #require(try await here.engine.luid(ofServerId: folder.id))
        let file = try #require(try await here.engine.children(of: luid).first { $0.name == "file-7" })
        let wire = try #require(try await here.engine.wireFile(file.luid))
        try await here.engine.letGoOfMetadata(bound: [], cap: 1)
        #expect(try await here.engine.named(["file"], limit: 50).items.isEmpty)

        #expect(try await found(here, [try result(wire)]).map(\.item.name) == ["file-7"])
        #expect(try await here.engine.kept().thinnedFolders == 1, "one file is wanted, and not a list of all")
        #expect(try await here.names(luid).count == 60, "the folder is still listed as a whole when it is looked at")
    }

    /// What is taken in ahead of the log is no news when the log tells of it.
    @Test func whatOthersPutIntoADeletedFolderIsNotSeenByFindingIt() async throws {
        let drive = PaperDrive()
        let writer = drive.from("writer")
        let outer = try await writer.createFolder(named: "outer", in: File.rootId, requestId: "outer")
        let inner = try await writer.createFolder(named: "inner", in: outer.id, requestId: "inner")
        drive.fill(inner.id, count: 60)
        let here = try TestEngine(drive)
        try await here.engine.pull()
        try await here.engine.letGoOfMetadata(bound: [], cap: 1)
        let luid = try await here.luid(of: outer)
        let seen = try await here.engine.seen(outer.id, asOf: nil)
        try await here.engine.record(.trash(seen: seen), on: luid)
        let new = try await writer.createFolder(named: "new", in: inner.id, requestId: "new")
        _ = try await here.engine.found([try result(new)], for: saffron, asOf: try await here.engine.state().cursor)
        try await here.engine.pull()
        #expect(try await here.engine.operations().map(\.action) == [.trash(seen: seen)])
    }

    @Test func anAnswerOfBeforeTheLogMovedOnBringsNothingBack() async throws {
        let drive = PaperDrive()
        let writer = drive.from("writer")
        let folder = try await writer.createFolder(named: "recipes", in: File.rootId, requestId: "recipes")
        drive.fill(folder.id, count: 60)
        let here = try TestEngine(drive)
        try await here.engine.pull()
        let luid = try #require(try await here.engine.luid(ofServerId: folder.id))
        let file = try #require(try await here.engine.children(of: luid).first)
        let wire = try #require(try await here.engine.wireFile(file.luid))
        try await here.engine.letGoOfMetadata(bound: [], cap: 1)
        let asked = try await here.engine.state().cursor
        try await writer.deletePermanently(wire.id, seen: .anything, requestId: "gone")
        try await here.engine.pull()
        let found = try await here.engine.found([try result(wire)], for: saffron, asOf: asked)
        #expect(found.items.isEmpty && !found.isWhole)
    }
}

extension TestEngine {
    fileprivate func luid(of file: File?) async throws -> LUID {
        let id = try #require(file).id
        return try #require(try await engine.luid(ofServerId: id))
    }
}

/// What both have found, as one list.
@Suite struct SearchFindingsTests {
    private func item(_ id: String, _ match: SearchResponse.Match = .name) -> FoundItem {
        let item = FolderItem(
            id: ItemID(id), name: id, mimeType: "text/plain", size: 5, modifiedAt: Timestamp(seconds: 0))
        return FoundItem(item: item, folder: .root, above: [], isAtHand: true, match: match)
    }

    @Test func whatBothHaveFoundIsShownOnceAndTextsComeAfterNames() {
        var findings = SearchFindings(items: [item("1"), item("2")], isComplete: false, texts: .unasked)
        findings.join([item("2", .text), item("3", .text)], isComplete: true, limit: 9)
        #expect(
            findings.items.map(\.id.text) == ["1", "2", "3"]
                && findings.items.map(\.match.known) == [.name, .name, .text])
        #expect(findings.isComplete && findings.texts == .searched)
    }

    @Test func moreThanIsAskedForAndMoreThanTheServerTellsIsNotAll() {
        let here = SearchFindings(items: [item("1"), item("2")], isComplete: true, texts: .unasked)
        var (cut, behind) = (here, here)
        cut.join([item("3")], isComplete: true, limit: 2)
        #expect(cut.items.map(\.id.text) == ["1", "2"] && !cut.isComplete)
        behind.join([], isComplete: false, limit: 2)
        #expect(!behind.isComplete)
    }
}

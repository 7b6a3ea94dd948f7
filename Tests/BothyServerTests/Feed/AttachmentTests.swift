import BothyContract
import Testing

@testable import BothyServer

/// A post stays whole whatever becomes of the file, and gives the room back when it goes.
@Suite struct AttachmentTests {
    @Test func aPostIsWholeAfterItsFileWasDeletedForGood() async throws {
        try await AccountServer.with { server in
            let world = try await AttachmentWorld(server)
            let file = try await world.media.put(MadeMedia.jpeg("51.5N"), "image/jpeg")
            let other = try await world.media.put(MadeMedia.jpeg("", filling: 200), "image/jpeg")
            let post = try await world.post([file.address, other.address])
            try await world.purge(file.id)
            for reader in [world.media.ann, world.media.ben] {
                let shown = try await world.media.get(
                    try await server.services.posts.find(post, for: reader.caller).attachments[0].contentUrl)
                #expect(shown.status == 200)
                #expect(!shown.text.contains("51.5N"), "it is shown without what the camera wrote")
            }
            #expect(try await world.kept(by: world.media.ann).posts == DriveInventory.Part(count: 1, bytes: file.size))
            #expect(try await world.used() == file.size + other.size)
            let whole = try await world.exportedAddress(of: post)
            #expect(try await world.media.get(whole).body.readableBytesView.elementsEqual(MadeMedia.jpeg("51.5N")))

            let attachments = try await server.services.posts.find(post, for: world.media.ann.caller).attachments
            let edited = try await server.services.posts.edit(
                post,
                EditPostRequest(
                    requestId: nil, baseVersion: 1,
                    attachments: attachments.prefix(1).map {
                        NewAttachment(type: .image, contentUrl: $0.contentUrl, caption: "The hut")
                    }), identity: .none(for: "test"), for: world.media.ann.caller)
            #expect(edited.attachments.map(\.caption) == ["The hut"], "what is there can be kept")
            _ = try await server.services.posts.delete(
                post, isForGood: true, identity: .none(for: "test"), for: world.media.ann.caller)
            #expect(try await world.used() == other.size)
            #expect(try await world.media.get(whole).code == .notFound)
        }
    }

    @Test func thirtyDaysInTheTrashGiveTheRoomBack() async throws {
        try await AccountServer.with { server in
            let world = try await AttachmentWorld(server)
            let file = try await world.media.put(MadeMedia.jpeg(""), "image/jpeg")
            let post = try await world.post([file.address])
            try await world.purge(file.id)
            _ = try await server.services.posts.delete(
                post, identity: .none(for: "test"), for: world.media.ann.caller)
            #expect(try await world.used() == file.size)
            let lived = server.services.stamps.stamp(driveId: 1, deviceId: nil).lived
            let emptied = try await server.services.database.write { db in
                try PostTable.emptyTrash(livedBefore: lived + 1, lived: lived + 1, limit: 10, in: db)
            }
            #expect(emptied == 1)
            #expect(try await world.used() == 0)
            try await world.checkReferences()
        }
    }

    /// All that 500 posts had shown was freed in one transaction, while everybody waited.
    @Test func contentsOfManyBlocksGoInSeveralTransactions() async throws {
        try await AccountServer.with { server in
            let world = try await AttachmentWorld(server)
            for filling in 1...4 {
                let file = try await world.media.put(MadeMedia.jpeg("", filling: 100 * filling), "image/jpeg")
                _ = try await world.post([file.address])
                try await world.purge(file.id)
            }
            let ann = world.media.ann.user.id
            let posts = try await server.services.posts.page(
                of: .author(ann), after: nil, limit: 10, for: world.media.ann.caller
            ).feed.map(\.postId)
            for post in posts.prefix(2) {
                _ = try await server.services.posts.delete(
                    post, identity: .none(for: "test"), for: world.media.ann.caller)
            }
            let lived = server.services.stamps.stamp(driveId: 1, deviceId: nil).lived
            for left in [1, 1, 0] {
                let gone = try await server.services.database.write { db in
                    try PostTable.emptyTrash(livedBefore: lived + 1, lived: lived, limit: 10, mostBlocks: 1, in: db)
                }
                #expect(gone == left)
            }
            try await world.checkReferences()

            let before = try #require(try await world.used())
            try await server.services.database.write { db in
                try AttachmentTable(db, of: ann).letGo(of: .post(posts[2]), mostBlocks: 0, lived: lived)
            }
            #expect(try await world.used() == before, "what is too much for one transaction waits")
            for left in [1, 0] {
                let freed = try await server.services.database.write {
                    try ContentTable.freeUnused(mostBlocks: 1, lived: lived, in: $0)
                }
                #expect(freed == left)
            }
            #expect(try await world.used() ?? 0 < before)
            try await world.checkReferences()
        }
    }

    @Test func somebodyElsesDeletedPictureIsNobodysToAttach() async throws {
        try await AccountServer.with { server in
            let world = try await AttachmentWorld(server)
            let file = try await world.media.put(MadeMedia.jpeg(""), "image/jpeg")
            let post = try await world.post([file.address])
            try await world.purge(file.id)
            let seen = try await server.services.posts.find(post, for: world.media.ben.caller).attachments[0].contentUrl
            let refusal = try await problemCode {
                _ = try await server.services.posts.create(
                    NewPostRequest(
                        requestId: nil, content: "", attachments: [NewAttachment(type: .image, contentUrl: seen)]),
                    identity: .none(for: "test"), for: world.media.ben.caller)
            }
            #expect(refusal == .invalidParameter)
        }
    }

    /// A draft was answered without it, and lost it when it was saved again from that answer.
    @Test func aDraftKeepsAPictureOfADeletedFileThatAPostShows() async throws {
        try await AccountServer.with { server in
            let world = try await AttachmentWorld(server)
            let (ann, drafts) = (world.media.ann.caller, server.services.drafts)
            let file = try await world.media.put(MadeMedia.jpeg(""), "image/jpeg")
            let post = try await world.post([file.address])
            try await world.purge(file.id)
            var address = try await server.services.posts.find(post, for: ann).attachments[0].contentUrl
            for version: Int64 in 0..<2 {
                let saved = try await drafts.save(
                    SaveDraftRequest(
                        content: "<p>\(version)</p>", attachments: [NewAttachment(type: .image, contentUrl: address)],
                        baseVersion: version), 7, if: .none, for: ann
                ).draft
                #expect(saved.version == version + 1 && saved.goneAttachments == 0)
                let attachment = try #require(saved.attachments.first)
                #expect(attachment.name == file.name && attachment.fileId != file.id)
                #expect(try await world.media.get(attachment.contentUrl).status == 200)
                address = attachment.contentUrl
            }
            _ = try await server.services.posts.delete(post, isForGood: true, identity: .none(for: "test"), for: ann)
            #expect(try await drafts.find(7, for: ann).goneAttachments == 1)
        }
    }

    /// What was posted before posts held what they show.
    @Test func whatWasPostedBeforeIsHeldFromThenOn() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("bothy.sqlite")
        let old = try await SQLiteDatabase.open(path: path, migrations: Migration.all.filter { $0.number < 22 })
        let hash = ContentHash(bytes: [UInt8](repeating: 7, count: 32))
        try await old.write { db in
            try db.execute(
                """
                INSERT INTO accounts (user_id, email, email_key, display_name, password, created_ms)
                VALUES (1, 'a', 'a', 'a', '', 0)
                """)
            try Drives.create(in: db, driveId: 1, ownerId: 1, quota: nil, now: Timestamp(milliseconds: 0))
            let stamp = ChangeStamp(driveId: 1, deviceId: nil, now: Timestamp(milliseconds: 0), lived: 0)
            let content = try ContentTable(db, drive: 1).insert(checksum: try #require(hash), size: 0, blocks: [])
            let made = try FileCreation(name: "a.png", mimeType: "image/png", parentId: File.rootId, requestId: nil)
                .perform(in: db, stamp: stamp)
            try RevisionTable(db, drive: 1).insert(
                RevisionRow(
                    id: "r", fileId: made.row.id, version: 2, contentId: content, mimeType: "image/png", size: 0,
                    checksum: try #require(hash), createdAt: stamp.now, modifiedAt: stamp.now, deviceId: nil),
                by: made.cursor.sequence)
            try db.execute(
                """
                INSERT INTO posts (author_id, post_id, content, summary, is_cut, created_ms)
                VALUES (1, 2, '', '', 0, 0)
                """)
            for (id, revision) in [(3, "r"), (4, "gone"), (5, "r")] {
                try db.execute(
                    """
                    INSERT INTO post_attachments (author_id, post_id, position, attachment_id, type, revision_id)
                    VALUES (1, 2, ?, ?, 'image', ?)
                    """, [id.sql, id.sql, revision.sql])
            }
        }
        try await old.close()
        let database = try await SQLiteDatabase.open(path: path)
        let (rows, refs) = try await database.read { db in
            (
                try AttachmentTable(db, of: 1).rows(of: .post(2)).map(\.id),
                try db.first("SELECT refs FROM contents")?.int64(0)
            )
        }
        #expect(rows == [3, 5] && refs == 3)
        try await database.close()
    }

    @Test(arguments: 0..<12)
    func referencesAreThoseThatHoldThemWhateverIsDone(seed: UInt64) async throws {
        try await AccountServer.with { server in
            var world = try await AttachmentWorld(server, seed: seed)
            for _ in 0..<50 {
                try await world.act()
                try await world.checkReferences()
            }
            try await world.checkPosts()
            try await world.deleteEverything()
            #expect(try await world.used() == 0)
            try await world.checkReferences()
        }
    }
}

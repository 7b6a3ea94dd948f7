import BothyContract
import Testing

@testable import BothyServer

/// What is attached to a post has its room before it is there.
@Suite struct AttachmentLooksTests {
    /// The attachment once the server has looked at it.
    private func looked(_ world: MediaWorld, _ file: File, _ type: AttachmentType) async throws
        -> BothyContract.Attachment
    {
        let post = try await world.post(file, type)
        while try await world.server.services.posts.looks.step() == .more {}
        return try #require(
            try await world.server.services.posts.find(post, for: world.ben.caller).attachments.first)
    }

    @Test func aPictureAndAFilmSayHowLargeTheyAre() async throws {
        try await AccountServer.with { server in
            let world = try await MediaWorld(server)
            let lying = try await looked(
                world, try await world.put(MadeMedia.jpeg("", orientation: 6), "image/jpeg"), .image)
            #expect(lying.width == 30 && lying.height == 40 && lying.durationMs == nil)
            let film = try await looked(world, try await world.put(MadeMedia.film(""), "video/mp4"), .video)
            #expect(film.width == 1920 && film.height == 1080 && film.durationMs == 2500)
            let unknown = try await looked(world, try await world.put(Array("words".utf8), "image/bmp"), .image)
            #expect(unknown.width == nil && unknown.height == nil && unknown.placeholder == nil)
            let left = try await server.services.database.read {
                try AttachmentTable.notLooked(after: nil, limit: 10, in: $0)
            }
            #expect(left.isEmpty, "what nothing is known of is not looked at again")
        }
    }

    @Test func aListTellsTheRoomOfThePictureThatItShows() async throws {
        try await AccountServer.with { server in
            let world = try await MediaWorld(server)
            _ = try await looked(world, try await world.put(MadeMedia.jpeg(""), "image/jpeg"), .image)
            let page = try await server.services.posts.page(of: .feed, after: nil, limit: 1, for: world.ann.caller)
            let preview = try #require(page.feed.first)
            #expect(preview.attachmentPreviewWidth == 40 && preview.attachmentPreviewHeight == 30)
        }
    }

    /// Each post of the same picture had it read and drawn anew.
    @Test func whatAnotherPostShowsAlreadyIsNotLookedAtAgain() async throws {
        try await AccountServer.with { server in
            let world = try await MediaWorld(server)
            let file = try await world.put(MadeMedia.jpeg(""), "image/jpeg")
            let first = try await looked(world, file, .image)
            let again = try await world.post(file, .image)
            let attached = AttachmentTable.Attached(
                author: world.ann.user.id, revisionId: try #require(file.headRevisionId))
            #expect(try await server.services.posts.looks.lookIfNew(at: attached) == false)
            let second = try await server.services.posts.find(again, for: world.ben.caller).attachments.first
            #expect(second?.width == 40 && second?.height == 30 && second?.placeholder == first.placeholder)
            let unknown = AttachmentTable.Attached(author: world.ann.user.id, revisionId: "of no post")
            #expect(try await server.services.posts.looks.lookIfNew(at: unknown) == false, "no post shows it")
        }
    }

    @Test func anEditForgetsNothingOfWhatStays() async throws {
        try await AccountServer.with { server in
            let world = try await MediaWorld(server)
            let file = try await world.put(MadeMedia.jpeg(""), "image/jpeg")
            let attachment = try await looked(world, file, .image)
            let page = try await server.services.posts.page(of: .feed, after: nil, limit: 1, for: world.ann.caller)
            let edited = try await server.services.posts.edit(
                try #require(page.feed.first).postId,
                EditPostRequest(
                    requestId: nil, baseVersion: 1,
                    attachments: [NewAttachment(type: .image, contentUrl: attachment.contentUrl, caption: "new")]),
                identity: .none(for: "test"), for: world.ann.caller)
            #expect(edited.attachments.map(\.width) == [40] && edited.attachments.first?.caption == "new")
        }
    }

    @Test func whatWasPostedBeforeIsLookedAtLater() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("bothy.sqlite")
        let old = try await SQLiteDatabase.open(path: path, migrations: Migration.all.filter { $0.number < 21 })
        try await old.write { db in
            try db.execute(
                """
                INSERT INTO accounts (user_id, email, email_key, display_name, password, created_ms)
                VALUES (1, 'a', 'a', 'a', '', 0)
                """)
            try db.execute(
                """
                INSERT INTO posts (author_id, post_id, content, summary, is_cut, created_ms)
                VALUES (1, 2, '', '', 0, 0)
                """)
            try db.execute(
                """
                INSERT INTO post_attachments (author_id, post_id, position, attachment_id, type, revision_id, caption)
                VALUES (1, 2, 0, 3, 'image', 'r', 'A hill')
                """)
        }
        try await old.close()
        let database = try await SQLiteDatabase.open(path: path)
        let known = MediaLook(width: 40, height: 30, placeholder: "aGFzaA==")
        for (look, looked) in [(MediaLook(), 0), (known, 1)] {
            if looked == 1 { try await database.write { try AttachmentTable($0, of: 1).note(known, of: "r") } }
            let row = try #require(
                try await database.read { db in
                    try db.first(
                        "SELECT looked, caption, \(MediaLook.columns(of: "t")) FROM post_attachments t")
                })
            #expect(row.int(0) == looked && row.string(1) == "A hill" && MediaLook(row, from: 2) == look)
        }
        try await database.close()
    }
}

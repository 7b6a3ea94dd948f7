import BothyContract
import Foundation
import Testing

@testable import BothyServer

/// A person who puts, posts, schedules, edits and deletes pictures in any order.
struct AttachmentWorld {
    struct Picture: Sendable {
        var file: File
        var address: String
    }

    let media: MediaWorld
    private let services: ServerServices
    private var random: SeededGenerator
    private var pictures: [Picture] = []
    private var posts: [Int64] = []
    private var trash: [Int64] = []
    private var scheduled: [Int64] = []

    private var ann: Caller { media.ann.caller }

    init(_ server: AccountServer, seed: UInt64 = 0) async throws {
        media = try await MediaWorld(server)
        (services, random) = (server.services, SeededGenerator(seed: seed))
    }

    // MARK: - What is done

    mutating func act() async throws {
        switch Int.random(in: 0..<13, using: &random) {
        case 0, 1: try await put()
        case 2, 3: posts.append(try await post(someAddresses()))
        case 4: scheduled.append(try await post(someAddresses(), in: 3600))
        case 5, 6: try await edit()
        case 7:
            guard let post = Self.take(&posts, &random) else { return }
            _ = try await services.posts.delete(post, identity: .none(for: "test"), for: ann)
            trash.append(post)
        case 8:
            guard let post = Self.take(&trash, &random) else { return }
            _ = try await services.posts.restore(post, identity: .none(for: "test"), for: ann)
            posts.append(post)
        case 9:
            guard let post = Bool.random(using: &random) ? Self.take(&trash, &random) : Self.take(&posts, &random)
            else { return }
            try await deleteForGood(post)
        case 10:
            guard let waiting = Self.take(&scheduled, &random) else { return }
            if Bool.random(using: &random) { return try await services.posts.deleteScheduled(waiting, for: ann) }
            let now = Timestamp(milliseconds: 0)
            posts.append(try #require(try await services.posts.reschedule(waiting, at: now, for: ann)))
        case 11:
            let address = pictures.randomElement(using: &random)?.address ?? ""
            _ = try await services.people.update(ProfileUpdate(picture: address), for: ann)
        default:
            guard let index = pictures.indices.randomElement(using: &random) else { return }
            try await purge(pictures.remove(at: index).file.id)
        }
    }

    /// A few contents, so that files share them.
    private mutating func put() async throws {
        let content = MadeMedia.jpeg("", filling: 100 + Int.random(in: 0..<4, using: &random))
        let file = try await media.put(content, "image/jpeg")
        pictures.append(Picture(file: file, address: file.address))
    }

    private mutating func someAddresses() -> [String] {
        (0..<Int.random(in: 0...3, using: &random)).compactMap { _ in pictures.randomElement(using: &random)?.address }
    }

    private static func take(_ ids: inout [Int64], _ random: inout SeededGenerator) -> Int64? {
        ids.indices.randomElement(using: &random).map { ids.remove(at: $0) }
    }

    private mutating func edit() async throws {
        guard let id = posts.randomElement(using: &random) else { return }
        let there = try await services.posts.find(id, for: ann)
        let kept = there.attachments.filter { _ in Bool.random(using: &random) }.map(\.contentUrl)
        _ = try await services.posts.edit(
            id,
            EditPostRequest(
                requestId: nil, baseVersion: there.version, content: "<p>\(there.version)</p>",
                attachments: (kept + someAddresses()).map { NewAttachment(type: .image, contentUrl: $0) }),
            identity: .none(for: "test"), for: ann)
    }

    func post(_ addresses: [String], in seconds: Int64? = nil) async throws -> Int64 {
        let time = seconds.map { media.server.clock.now().adding(seconds: $0) }
        return try await services.posts.create(
            NewPostRequest(
                requestId: nil, content: "<p>a</p>",
                attachments: addresses.map { NewAttachment(type: .image, contentUrl: $0) }, publishAt: time),
            identity: .none(for: "test"), for: ann
        ).answer.postId
    }

    func purge(_ file: String) async throws {
        let (stamp, stamps) = (services.stamps.stamp(for: ann), services.stamps)
        try await services.database.write { db in
            _ = try FileDeletion(id: file, permanent: true).perform(in: db, stamp: stamp)
            while try Purge.drain(in: db, stamps: stamps) {}
        }
    }

    private func deleteForGood(_ post: Int64) async throws {
        _ = try await services.posts.delete(post, isForGood: true, identity: .none(for: "test"), for: ann)
    }

    mutating func deleteEverything() async throws {
        for picture in pictures { try await purge(picture.file.id) }
        for post in posts + trash { try await deleteForGood(post) }
        _ = try await services.people.update(ProfileUpdate(picture: ""), for: ann)
        for waiting in scheduled { try await services.posts.deleteScheduled(waiting, for: ann) }
        (pictures, posts, trash, scheduled) = ([], [], [], [])
    }

    // MARK: - What holds

    func used() async throws -> Int64? {
        try await services.database.read { [ann] in try DriveQuota($0, drive: ann.driveId).usage()?.used }
    }

    func kept(by person: SessionResponse) async throws -> DriveInventory {
        try await DriveInventory.taken(of: person.user.id, largest: 0, in: services.database)
    }

    func exportedAddress(of post: Int64) async throws -> String {
        var json = Data()
        try await services.export.write(.posts, for: ann) { json += $0 }
        let posts = try WireCoding.decode(
            [ExportedPost].self, fromText: String(decoding: json.dropFirst(",\"posts\":".utf8.count), as: UTF8.self))
        return try #require(posts.first { $0.postId == post }?.attachments.first?.contentUrl)
    }

    func checkReferences() async throws {
        let wrong = try await services.database.read { db in
            try [
                """
                SELECT content_id FROM contents c WHERE refs = 0 OR refs <> (
                    SELECT count(*) FROM revisions r WHERE r.drive_id = c.drive_id AND r.content_id = c.content_id
                ) + (SELECT count(*) FROM attachments a WHERE a.author_id = c.drive_id AND a.content_id = c.content_id)
                """,
                """
                SELECT attachment_id FROM attachments a WHERE 1 <> (
                    SELECT count(*) FROM accounts o WHERE o.user_id = a.author_id AND o.picture_id = a.attachment_id
                ) + (
                    SELECT count(*) FROM post_attachments t
                    WHERE t.author_id = a.author_id AND t.attachment_id = a.attachment_id
                ) + (
                    SELECT count(*) FROM scheduled_attachments t
                    WHERE t.author_id = a.author_id AND t.attachment_id = a.attachment_id
                )
                """,
                """
                SELECT attachment_id FROM post_attachments t WHERE NOT EXISTS (
                    SELECT 1 FROM attachments a JOIN contents c
                        ON c.drive_id = a.author_id AND c.content_id = a.content_id
                    WHERE a.author_id = t.author_id AND a.attachment_id = t.attachment_id)
                """,
            ].map { try db.query($0).map { $0.int64(0) } }
        }
        #expect(wrong == [[], [], []])
    }

    /// Whoever may read a post reads all that it shows.
    func checkPosts() async throws {
        for post in posts {
            for attachment in try await services.posts.find(post, for: media.ben.caller).attachments {
                #expect(try await media.get(attachment.contentUrl).status == 200)
            }
        }
    }
}

extension File {
    /// Of its content.
    var address: String { downloadUrl ?? "" }
}

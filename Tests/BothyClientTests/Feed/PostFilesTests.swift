import BothyContract
import RealServing
import Testing

@testable import BothyClient

/// Posts with files of this disk, through a home and a real server.
@Suite struct PostFilesTests {
    private func names(_ home: DeviceHome) async throws -> [String] {
        _ = try await home.replica.pull()
        let path = try RemotePath("/Posts")
        return try await home.replica.read { view in
            guard let folder = try view.file(at: path) else { return [] }
            return try view.children(of: folder.luid).map(\.name)
        }
    }

    @Test func aFileOfThisDiskGoesUpAndAnotherOneOfItsNameStays() async throws {
        let (server, disk) = (try await RealServer(), try TemporaryFolder())
        let ann = try await server.device("ann", register: true)
        func post(_ bytes: [UInt8]) async throws {
            // What begins as a picture does: the server looks.
            let path = try disk.write("hut.png", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + bytes)
            let file = PostFile.here(try PostFile.Local(path: path, name: "hut.png", caption: "A hut."))
            let isThere = try await ann.postFiles.publish(
                NewPostRequest(requestId: nil, content: "<p>a</p>"), with: [file], in: "Posts")
            #expect(isThere)
        }
        try await post([1])
        #expect(try await names(ann) == ["hut.png"])
        try await post([1])
        #expect(try await names(ann) == ["hut.png"], "the very same file is there once")
        try await post([2])
        #expect(try await names(ann).count == 2, "another one of its name is another file")
        let shown = try await ann.posts.feed(after: nil, limit: 10).posts
        #expect(shown.map(\.attachmentCount) == [1, 1, 1])
        #expect(try await ann.posts.post(shown[0].postId).post.attachments.map(\.caption) == ["A hut."])
        try await ann.close()
        await server.stop()
    }

    @Test func whatCannotBeAttachedLeavesNothingBehind() async throws {
        let (server, disk) = (try await RealServer(), try TemporaryFolder())
        let ann = try await server.device("ann", register: true)
        let there = try disk.write("hut.png", [1])
        let files = [
            PostFile.here(try PostFile.Local(path: there, name: "hut.png")),
            PostFile.here(try PostFile.Local(path: disk.file("gone.png"), name: "gone.png")),
        ]
        let failure = await #expect(throws: ClientFailure.self) {
            try await ann.postFiles.publish(
                NewPostRequest(requestId: nil, content: "<p>a</p>"), with: files, in: "Posts")
        }
        #expect(failure?.code == .fileMissing)
        #expect(try await ann.replica.journal().isEmpty)
        #expect(try ann.content.entries(in: ann.content.pendingFolder).isEmpty)
        #expect(throws: ClientFailure.self) { try PostFile.Local(path: there, name: "notes.txt") }
        try await ann.close()
        await server.stop()
    }
}

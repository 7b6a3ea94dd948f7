import BothyClient
import BothyContract
import BothyHosting
import BothyPresentation
import BothyServer
import FolderConformance
import Foundation
import NIOCore
import Testing

/// An upload from one screen to another, through the server's own services.
@Suite struct UploadFlowTests {
    private func inWorld(_ body: (HostedWorld) async throws -> Void) async throws {
        let world = try await HostedWorld.open()
        do {
            try await body(world)
            try await world.close()
        } catch {
            try await world.close()
            throw error
        }
    }

    /// Two chunks and a half.
    private static let bytes = (0..<(10 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }

    @Test func theSameFileGoesOnWhereItWas() async throws {
        try await inWorld {
            try await UploadConformance.theSameFileGoesOn($0.account.uploads, $0.folders, bytes: Self.bytes)
        }
        let folders = MadeUpFolders()
        try await UploadConformance.theSameFileGoesOn(MadeUpUploads(folders), folders, bytes: Array(0..<10))
    }

    @Test func aTakenNameIsSettledAsSaid() async throws {
        try await inWorld { try await UploadConformance.aTakenNameIsSettledAsSaid($0.account.uploads, $0.folders) }
        let folders = MadeUpFolders()
        try await UploadConformance.aTakenNameIsSettledAsSaid(MadeUpUploads(folders), folders)
    }

    /// What one person's browser sends shows in the list of their other one, as one row put in its place.
    @MainActor @Test func anUploadShowsOnTheOtherDevice() async throws {
        let world = try await HostedWorld.open()
        let clock = PersonsClock(now: Timestamp(seconds: 0), zone: .gmt)
        _ = try await world.add("zebra.txt", isFolder: false, bytes: 1, to: .root)
        let visitor = BrowserVisitor(network: "127.0.0.1", isLocal: true, name: "Phone")
        let ticket = try await world.browsers.signIn(
            email: world.account.user.email, password: HostedWorld.password, by: visitor)
        guard let phone = try await world.browsers.enter(ticket) else { throw CancellationError() }
        let list = FileListStateHolder(
            .root, folders: phone.folders, actions: phone.actions, words: .english, clock: clock)
        await list.open()
        #expect(list.state.rows.map(\.name) == ["zebra.txt"])

        let holder = UploadStateHolder(world.account.uploads, words: .english, seconds: { 0 })
        holder.upload([UploadConformance.file("Photo 2.jpg", Self.bytes)], to: .root)
        await holder.rest()
        guard case .finished(let id) = holder.state.rows[0].phase else {
            Issue.record("\(holder.state.rows)")
            return
        }

        struct Seen: Error {}
        do {
            try await list.follow { delta in if case .rows = delta.kind { throw Seen() } }
        } catch is Seen {}
        #expect(list.state.rows.map(\.name) == ["Photo 2.jpg", "zebra.txt"])
        #expect(list.state.rows[0].id == id && list.state.rows[0].size == "10.5 MB")
        try await world.close()
    }

    @Test func aBatchTakesManyAndSaysOfEachWhatBecameOfIt() async throws {
        try await inWorld { world in
            _ = try await world.add("taken", isFolder: false, bytes: 1, to: .root)
            var body = ByteBuffer()
            for (place, name) in ["new", "taken", "not/a name"].enumerated() {
                let request = UploadRequest(requestId: "r\(place)", name: name, conflict: .fail)
                let metadata = try WireCoding.encode(request)
                body.writeInteger(UInt32(metadata.count))
                body.writeInteger(UInt32(2))
                body.writeBytes(metadata)
                body.writeString("hi")
            }
            let parts = AsyncStream<ByteBuffer> {
                $0.yield(body)
                $0.finish()
            }
            let answer = try await world.account.uploads.receiveBatch(length: body.readableBytes, from: parts)
            let codes = answer.map { outcome -> FailureCode? in
                if case .failure(let failure) = outcome { failure.code } else { nil }
            }
            #expect(codes == [nil, .nameConflict, .invalidName])
            let new = try answer[0].get()
            #expect(try await world.folders.item(new).name == "new")
        }
    }

    @Test func whatAFileHoldsIsToldToWhoeverComparesIt() async throws {
        try await inWorld { world in
            let uploads = world.account.uploads
            let chosen = UploadConformance.file("a", Array("abc".utf8))
            var made: ItemID?
            for try await standing in uploads.upload(chosen, to: .root, conflict: .fail) { made = standing.item?.id }
            let id = try #require(made)
            #expect(try await uploads.content(of: id).size == 3)
            #expect(try await uploads.isThere(chosen, as: id))
            #expect(try await !uploads.isThere(UploadConformance.file("a", Array("abd".utf8)), as: id))
            #expect(try await !uploads.isThere(UploadConformance.file("a", Array("aaaa".utf8)), as: id))
            let folder = try await world.add("f", isFolder: true, bytes: 0, to: .root)
            await #expect(throws: ClientFailure.self) { _ = try await uploads.content(of: folder) }
            await #expect(throws: ClientFailure.self) { _ = try await uploads.content(of: ItemID("nobody")) }
        }
    }

    @Test func aFolderIsMadeOnceForAllWhoseFilesLieInIt() async throws {
        try await inWorld { world in
            let uploads = world.account.uploads
            let first = try await uploads.folder(named: "Trip", in: .root)
            let again = try await uploads.folder(named: "Trip", in: .root)
            #expect(first == again)
            _ = try await world.add("file", isFolder: false, bytes: 1, to: .root)
            await #expect(throws: ClientFailure.self) { _ = try await uploads.folder(named: "file", in: .root) }
            await #expect(throws: ClientFailure.self) { _ = try await uploads.folder(named: "..", in: .root) }
        }
    }

    @Test func nobodyReachesTheUploadsOfAnother() async throws {
        try await inWorld { world in
            let standing = try await world.account.uploads.begin(
                UploadOffer(
                    folder: .root, name: "a", size: 10, modifiedAt: Timestamp(seconds: 1), mimeType: nil,
                    conflict: .fail))
            let other = try await world.another().account.uploads
            #expect(try await other.underWay().isEmpty)
            await #expect(throws: ClientFailure.self) { _ = try await other.standing(of: standing.id) }
            try await other.cancel(standing.id)
            #expect(try await world.account.uploads.underWay().map(\.id) == [standing.id])
        }
    }
}

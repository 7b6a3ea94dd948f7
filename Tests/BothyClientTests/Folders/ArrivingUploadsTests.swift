import BothyClient
import BothyContract
import Foundation
import NIOCore
import Testing

/// What browsers hand to a device, where two of them do at once, or the program ends in the middle.
@Suite struct ArrivingUploadsTests {
    private let offer = UploadOffer(
        folder: .root, name: "a.txt", size: 3, modifiedAt: Timestamp(seconds: 5), mimeType: nil, conflict: .fail)

    private func body() -> AsyncStream<ByteBuffer> {
        AsyncStream {
            $0.yield(ByteBuffer(string: "abc"))
            $0.finish()
        }
    }

    /// The second one stayed at 100 % for ever.
    @Test func whoBringsAPartAgainIsToldWhatBecameOfTheFile() async throws {
        let world = try await DeviceWorld.alone()
        let uploads = world.account.uploads
        let id = try await uploads.begin(offer).id
        try await world.put("a.txt", [1])
        for _ in 0..<2 {
            await #expect {
                _ = try await uploads.receive(chunk: 0, of: id, sha256: nil, length: 3, from: body())
            } throws: {
                ($0 as? ClientFailure)?.code == .nameConflict
            }
        }
        let item = try await uploads.finish(id, conflict: .fork)
        let again = try await uploads.receive(chunk: 0, of: id, sha256: nil, length: 3, from: body())
        #expect(item.name == "a (1).txt" && again == item)
        try await world.home.close()
    }

    /// It was as good as made when the program ended, and could never be ended again.
    @Test func oneWhoseBytesAreGoneIsBegunAnew() async throws {
        let world = try await DeviceWorld.alone()
        let id = try await world.account.uploads.begin(offer).id
        let folder = world.home.directory + "/content/arriving"
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2)
        try FileManager.default.removeItem(atPath: "\(folder)/\(id)")
        let next = try await DeviceWorld(world.home, isConnected: false)
        let uploads = next.account.uploads
        #expect(try await uploads.underWay().isEmpty)
        let again = try await uploads.begin(offer).id
        #expect(again != id)
        #expect(try await uploads.receive(chunk: 0, of: again, sha256: nil, length: 3, from: body())?.name == "a.txt")
        try await world.home.close()
    }
}

import BothyClient
import BothyContent
import BothyContract
import Testing

/// The examples of «Building Carousel, Part I», by their names.
@Suite struct CarouselTests {
    private static let (hashA, hashB): ([UInt8], [UInt8]) = (Array("photo a".utf8), Array("photo b".utf8))

    /// Server photo A in the cache, camera roll photo B waiting to be uploaded.
    private func library() async throws -> (TestReplica, a: LUID, b: LUID) {
        let drive = PaperDrive()
        let elsewhere = try TestReplica(drive, device: "elsewhere")
        _ = try await elsewhere.put("A.jpg", Self.hashA)
        _ = try await elsewhere.push()
        let phone = try TestReplica(drive, device: "phone")
        try await phone.pull()
        let a = try #require(try await phone.luid("/A.jpg"))
        let b = try await phone.record(
            .upload(parent: .root, name: "B.jpg", content: phone.content(Self.hashB), conflict: .fork), kind: .photo)
        return (phone, a, b)
    }

    @Test func theServerPhotosTableIsPurelyACacheOfTheTruth() async throws {
        let (phone, a, _) = try await library()
        let before = try await phone.store.view { try $0.file(a) }
        #expect(before?.serverId != nil && before?.checksum == SHA256Hasher.hash(Self.hashA))
        try await phone.record(.hide(true), on: a)
        // The person's wish is an operation; the cache says what the server said.
        #expect(try await phone.store.cached(a)?.hidden == false)
    }

    @Test func listPhotosUnionsLocalAndServerContentThenAppliesThePendingHide() async throws {
        let (phone, a, b) = try await library()
        try await phone.record(.hide(true), on: a)
        let shown = try await phone.store.view { try $0.children(of: .root) }
        #expect(shown.map(\.luid) == [a, b])
        #expect(shown.map(\.hidden) == [true, false])
        #expect(shown.map(\.checksum) == [SHA256Hasher.hash(Self.hashA), SHA256Hasher.hash(Self.hashB)])
        #expect(shown.map { $0.serverId != nil } == [true, false])
    }

    @Test func additionAndHideOverTheCacheShowTheSameAsUploadingAndHidingOnTheServer() async throws {
        let (phone, a, _) = try await library()
        try await phone.record(.hide(true), on: a)
        let shown = try await phone.shown()
        #expect(try await phone.push() == .done)
        try await phone.pull()
        #expect(try await phone.shown() == shown)
        #expect(phone.fetched() == shown)
    }

    /// «In the case of hide & delete, we then rely on last-write-wins semantics on the server to resolve any conflicts.»
    @Test func aHideAndAShowOfTwoDevices_lastWriteWins() async throws {
        let drive = PaperDrive()
        let tablet = try TestReplica(drive, device: "tablet")
        let a = try await tablet.put("A.jpg", Self.hashA)
        #expect(try await tablet.push() == .done)
        try await tablet.pull()
        let phone = try TestReplica(drive, device: "phone")
        try await phone.pull()
        let there = try await phone.luid("/A.jpg")
        #expect(there != nil)
        try await phone.record(.hide(true), on: there)
        try await tablet.record(.hide(false), on: a)
        #expect(try await phone.push() == .done)
        #expect(try await tablet.push() == .done, "nobody is asked")
        try await phone.pull()
        #expect(try await phone.store.view { try $0.children(of: .root) }.map(\.hidden) == [false])
    }

    /// The same of the other half: whoever comes last, with a deletion or with what takes one back.
    @Test(arguments: [true, false])
    func aDeletionAndAPuttingBackOfTwoDevices_lastWriteWins(deletionIsLast: Bool) async throws {
        let drive = PaperDrive()
        let tablet = try TestReplica(drive, device: "tablet")
        let a = try await tablet.put("A.jpg", Self.hashA)
        #expect(try await tablet.push() == .done)
        try await tablet.pull()
        let phone = try TestReplica(drive, device: "phone")
        try await phone.pull()
        let there = try await phone.luid("/A.jpg")
        try await phone.record(.trash(seen: .anything), on: there)
        #expect(try await phone.push() == .done)
        try await phone.record(.restore, on: there)
        try await tablet.record(.trash(seen: .anything), on: a)
        for device in deletionIsLast ? [phone, tablet] : [tablet, phone] {
            #expect(try await device.push() == .done, "nobody is asked")
        }
        for device in [phone, tablet] {
            try await device.pull()
            let shown = try await device.store.view { try $0.children(of: .root) }
            #expect(shown.count == (deletionIsLast ? 0 : 1))
        }
    }

    @Test func anOperationIsRemovedOnlyOnceItsEffectHasComeDownInTheDelta() async throws {
        let (phone, a, _) = try await library()
        try await phone.record(.hide(true), on: a)
        _ = try await phone.push()
        let acknowledged = try await phone.store.operations()
        #expect(acknowledged.map(\.state) == [.acknowledged, .acknowledged])
        #expect(try await phone.store.view { try $0.file(a)?.hidden } == true)
        try await phone.pull()
        #expect(try await phone.store.operations().isEmpty)
        #expect(try await phone.store.view { try $0.file(a)?.hidden } == true)
    }

    @Test func aPhotoKeepsItsLUIDWhenItsUploadFinishes() async throws {
        let (phone, _, b) = try await library()
        _ = try await phone.push()
        try await phone.pull()
        let file = try await phone.store.view { try $0.file(b) }
        #expect(file?.serverId != nil && file?.name == "B.jpg")
        #expect(try await phone.luid("/B.jpg") == b)
    }

    @Test func aServerPhotoWithTheHashOfALocalOneClaimsItsLUIDAndCompletesTheUpload() async throws {
        let (phone, _, b) = try await library()
        // Another source uploads the same photo, under another name.
        let camera = try TestReplica(phone.drive, device: "camera")
        _ = try await camera.put("IMG_1.jpg", Self.hashB)
        _ = try await camera.push()
        try await phone.pull()
        #expect(try await phone.luid("/IMG_1.jpg") == b)
        #expect(try await phone.store.operations().isEmpty)
        _ = try await phone.push()
        #expect(phone.fetched().count == 2, "it is not uploaded a second time")
    }

    @Test func theFirstServerPhotoWithAHashClaimsTheLUIDAndTheOthersGetNewOnes() async throws {
        let (phone, _, b) = try await library()
        let camera = try TestReplica(phone.drive, device: "camera")
        // One after the other: uploads that are sent together may arrive in any order.
        for name in ["first.jpg", "second.jpg"] {
            _ = try await camera.put(name, Self.hashB)
            _ = try await camera.push()
        }
        try await phone.pull()
        #expect(try await phone.luid("/first.jpg") == b)
        let second = try #require(try await phone.luid("/second.jpg"))
        #expect(second != b)
    }

    @Test func aServerPhotoWithoutAMatchGetsANewLUID() async throws {
        let (phone, a, b) = try await library()
        let camera = try TestReplica(phone.drive, device: "camera")
        _ = try await camera.put("c.jpg", Array("photo c".utf8))
        _ = try await camera.push()
        try await phone.pull()
        let c = try #require(try await phone.luid("/c.jpg"))
        #expect(c != a && c != b)
        #expect(try await phone.store.operations().count == 1)
    }

    @Test func anActionOnALocalOnlyPhotoWaitsForItsUploadAndMovesItToTheFront() async throws {
        let (phone, _, b) = try await library()
        for number in 0..<40 { _ = try await phone.put("other\(number).jpg", [UInt8(number)]) }
        let late = try await phone.put("late.jpg", [99])
        try await phone.record(.star(true), on: late)
        try await phone.record(.star(true), on: b)
        var machine = JournalMachine(try await phone.store.operations())
        let first = machine.next(now: phone.clock.now())
        #expect(first.prefix(2).map(\.facts.subject) == [b, late])
        #expect(first.allSatisfy { $0.facts.lane == .uploads }, "no star leaves before its photo")
    }

    @Test func aSelectionByLUIDsSurvivesTheEndOfAnUpload() async throws {
        let (phone, a, b) = try await library()
        let selection = Set([a, b])
        _ = try await phone.push()
        try await phone.pull()
        let shown = try await phone.store.view { try $0.children(of: .root) }
        #expect(Set(shown.map(\.luid)) == selection)
    }
}

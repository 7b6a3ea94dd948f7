import BothyClient
import BothyContent
import BothyContract
import Foundation
import Testing

@Suite struct UploadFlowTests {
    private let megabyte = 1 << 20

    private func content(_ size: Int, seed: UInt64 = 1) -> [UInt8] {
        var random = SeededRandom(seed)
        return random.bytes(size)
    }

    /// A server, a device and a file, put; what arrived is what was sent.
    private func upload(
        _ size: Int, faults: (FakeDrive) async -> Void = { _ in }
    ) async throws -> (end: TransferSnapshot, drive: FakeDrive, device: TestDevice, arrived: Bool) {
        let server = try await FakeServer()
        await faults(server.drive)
        let device = try await TestDevice(server.origin)
        let bytes = content(size)
        let end = try await device.put(device.folder.write("source", bytes))
        let arrived = await server.drive.contents.values.contains(bytes)
        try await device.close()
        return (end, server.drive, device, arrived)
    }

    @Test(arguments: [0, 1, 4096, 5 << 20]) func aSmallFileGoesInOneRequest(size: Int) async throws {
        let (end, drive, _, arrived) = try await upload(size)
        #expect(end.state == .completed)
        #expect(arrived)
        #expect(end.bytesDone == Int64(size))
        // It takes nothing compressed, which it is asked once, where the content does not hide the words around it.
        #expect(await drive.requests == Array(repeating: "whole", count: size <= 1 ? 2 : 1))
    }

    @Test func aServerThatTakesNothingCompressedIsAskedOnce() async throws {
        let server = try await FakeServer()
        let device = try await TestDevice(server.origin)
        for number in 0..<3 {
            let text = [UInt8](repeating: UInt8(97 + number), count: 200 << 10)
            let end = try await device.put(device.folder.write("text\(number)", text))
            #expect(end.state == .completed)
            #expect(await server.drive.contents.values.contains(text))
        }
        #expect(await server.drive.count("whole") == 4)
        try await device.close()
    }

    @Test func aServerThatTakesNoPatchesOfNothingIsAskedOnce() async throws {
        let server = try await FakeServer()
        let device = try await TestDevice(server.origin)
        var refused = [Int]()
        for number in 0..<2 {
            let text = (0..<6 << 20).map { UInt8(97 + number + $0 / 1_000 % 20) }
            #expect(try await device.put(device.folder.write("text\(number)", text)).state == .completed)
            #expect(await server.drive.contents.values.contains(text))
            refused.append(await server.drive.refusedPatches)
        }
        #expect(refused[0] > 0 && refused[1] == refused[0], "\(refused)")
        try await device.close()
    }

    @Test(arguments: [(5 << 20) + 1, 8 << 20, (9 << 20) + 17]) func aLargeFileGoesInBlocks(size: Int) async throws {
        let (end, drive, _, arrived) = try await upload(size)
        #expect(end.state == .completed)
        #expect(arrived)
        #expect(await drive.bodyBytes == size)
        // Neighbouring blocks go together, so that a request has about 4 MiB.
        #expect((2...4).contains(await drive.count("chunk")))
        #expect(await drive.longestBody <= 4 << 20)
        #expect(end.bytesCarried == Int64(size))
    }

    /// On a slow line a piece takes many seconds: what of it is on its way is told, with a limit and without.
    @Test(arguments: [3 << 20, 9 << 20], [nil, 1 << 20])
    func whatIsOnItsWayIsTold(size: Int, limit: Int64?) async throws {
        let server = try await FakeServer()
        let device = try await TestDevice(server.origin)
        device.home.settings.limitThisProcess(to: limit)
        let bytes = content(size)
        let path = try device.folder.write("source", bytes)
        let id = try await device.home.transfers.upload([
            UploadOrder(localPath: path, name: "a", parentId: File.rootId)
        ])[0]
        var (sawSome, end): (Bool, TransferSnapshot?) = (false, nil)
        for await snapshot in await device.home.transfers.observe([id]) {
            let onTheWay = snapshot.bytesOnTheWay ?? 0
            #expect(onTheWay >= 0 && snapshot.bytesDone + onTheWay <= Int64(size))
            if onTheWay > 0, snapshot.bytesDone < Int64(size) { sawSome = true }
            end = snapshot
        }
        // Without a limit nothing waits, and this clock stands still: then ten times a second is never.
        #expect(sawSome || limit == nil)
        #expect(end?.state == .completed && (end?.bytesOnTheWay ?? 0) == 0)
        #expect(await server.drive.contents.values.contains(bytes))
        try await device.close()
    }

    @Test func aFlippedBitIsNoticedAndTheChunkSentAgain() async throws {
        let (end, drive, _, arrived) = try await upload(9 << 20) { await $0.fault("chunk", .flipBit) }
        #expect(end.state == .completed)
        #expect(arrived)
        #expect(await drive.bodyBytes > 9 << 20)
        #expect(await drive.bodyBytes <= 13 << 20)
    }

    @Test func repeatedCorruptionMakesTheChunkSmaller() async throws {
        let (end, drive, _, arrived) = try await upload(9 << 20) { drive in
            for _ in 0..<9 { await drive.fault("chunk", .flipBit) }
        }
        #expect(end.state == .completed)
        #expect(arrived)
        #expect(await drive.count("start") > 1)
    }

    @Test func anAnswerThatIsLostCostsAQuestionAndNoBytes() async throws {
        let (end, drive, _, arrived) = try await upload(9 << 20) { await $0.fault("chunk", .dropAnswer) }
        #expect(end.state == .completed)
        #expect(arrived)
        #expect(await drive.bodyBytes == 9 << 20)
        #expect(await drive.count("status") >= 1)
    }

    @Test func aServerErrorIsTriedAgain() async throws {
        let (end, _, _, arrived) = try await upload(9 << 20) {
            await $0.fault("chunk", .status(500), .status(503), .refuse(.busy))
            await $0.fault("start", .status(502), .dropAnswer)
            await $0.fault("finalize", .status(504), .dropAnswer)
        }
        #expect(end.state == .completed)
        #expect(arrived)
    }

    @Test func fiveFailuresOfTheServersOwnEndATransfer() async throws {
        let (end, _, _, _) = try await upload(4096) { drive in
            for _ in 0..<5 { await drive.fault("whole", .status(500)) }
        }
        #expect(end.state == .failed)
        #expect(end.failure?.code == .serverFailed)
        #expect(end.failure?.remedy.isEmpty == false)
    }

    @Test func aSmallFileWhoseAnswerIsLostIsThereOnce() async throws {
        let (end, drive, _, arrived) = try await upload(4096) { await $0.fault("whole", .dropAnswer) }
        #expect(end.state == .completed)
        #expect(arrived)
        #expect(await drive.files.count == 1)
    }

    @Test func anExpiredSessionBeginsANewOne() async throws {
        let (end, drive, _, arrived) = try await upload(9 << 20) { await $0.fault("chunk", .forgetSession) }
        #expect(end.state == .completed)
        #expect(arrived)
        #expect(await drive.count("start") == 2)
    }

    @Test func moreChunksProcessedThanThereAreBeginsANewSession() async throws {
        let (end, drive, _, arrived) = try await upload(9 << 20) { await $0.fault("chunk", .impossible) }
        #expect(end.state == .completed)
        #expect(arrived)
        #expect(await drive.count("start") == 2)
    }

    @Test func aServerThatAlwaysSaysWhatCannotBeEndsTheTransfer() async throws {
        // What arrived before each lie is found by its name in the next session, so a small file would come through.
        let (end, _, _, _) = try await upload(40 << 20) { drive in
            for _ in 0..<100 { await drive.fault("chunk", .impossible) }
        }
        #expect(end.state == .failed)
        #expect(end.failure?.code == .answerInvalid)
    }

    @Test(arguments: [9 << 20, 2 << 20]) func aProxysLimitOnBodiesMakesTheChunkSmaller(size: Int) async throws {
        let (end, drive, _, arrived) = try await upload(size) { await $0.limitProxy(to: 1 << 20) }
        #expect(end.state == .completed)
        #expect(arrived)
        #expect(await drive.longestBody <= 1 << 20)
    }

    @Test func aNetworkThatCutsEveryChunkOffMakesChunksSmaller() async throws {
        let (end, _, _, arrived) = try await upload(9 << 20) { await $0.cutConnections(after: 600 << 10) }
        #expect(end.state == .completed)
        #expect(arrived)
    }

    @Test func aProxyThatTakesNothingIsNamed() async throws {
        let (end, _, _, _) = try await upload(9 << 20) { await $0.limitProxy(to: 1000) }
        #expect(end.state == .failed)
        #expect(end.failure?.code == .proxyLimit)
    }

    @Test func chunksThatTheServerHasLostAreSentAgain() async throws {
        let server = try await FakeServer()
        let device = try await TestDevice(server.origin)
        let bytes = content(9 << 20)
        let path = try device.folder.write("source", bytes)
        await server.drive.fault("finalize", .refuse(.quotaExceeded))
        let first = try await device.put(path)
        #expect(first.failure?.code == .quotaExceeded)
        let lost = await server.drive.loseBlock(1)
        #expect(lost > 0)
        let second = try await device.put(path)
        #expect(second.state == .completed)
        #expect(second.id == first.id)
        #expect(await server.drive.contents.values.contains(bytes))
        #expect(await server.drive.bodyBytes == (9 << 20) + lost)
        try await device.close()
    }

    @Test func ofAnEditedFileOnlyTheBlocksOfTheEditAreSent() async throws {
        let server = try await FakeServer()
        let device = try await TestDevice(server.origin)
        var bytes = content(24 << 20)
        #expect(try await device.put(device.folder.write("source", bytes)).state == .completed)
        let before = await server.drive.bodyBytes
        bytes.replaceSubrange((3 << 20)..<(3 << 20) + 100_000, with: content(100_000, seed: 2))
        bytes.insert(7, at: 15 << 20)
        let end = try await device.put(device.folder.write("source", bytes))
        #expect(end.state == .completed)
        #expect(await server.drive.contents.values.contains(bytes))
        let sent = await server.drive.bodyBytes - before
        #expect(sent < 1 << 20, "\(sent) bytes were sent for an edit of 100,001")
        #expect(end.bytesCarried == Int64(sent))
        try await device.close()
    }

    @Test func aFileThatTheDriveHasIsNamedAndNotSent() async throws {
        let server = try await FakeServer()
        let device = try await TestDevice(server.origin)
        let bytes = content(9 << 20)
        #expect(try await device.put(device.folder.write("one", bytes)).state == .completed)
        let end = try await device.put(device.folder.write("two", bytes))
        #expect(end.state == .completed)
        #expect(end.bytesCarried == 0 && end.bytesDone == 9 << 20)
        #expect(await server.drive.bodyBytes == 9 << 20)
        try await device.close()
    }

    @Test func whatBelongsToAnotherPlanBeginsANewSession() async throws {
        let (end, drive, _, arrived) = try await upload(9 << 20) { await $0.fault("plan", .refuse(.planConflict)) }
        #expect(end.state == .completed)
        #expect(arrived)
        #expect(await drive.count("start") == 2)
        #expect(await drive.bodyBytes == 9 << 20)
    }

    @Test func theAnswerToNamesMayBeLost() async throws {
        let (end, drive, _, arrived) = try await upload(9 << 20) {
            await $0.fault("plan", .dropAnswer, .status(503), .dropAnswer)
        }
        #expect(end.state == .completed)
        #expect(arrived)
        #expect(await drive.bodyBytes == 9 << 20)
        #expect(await drive.count("start") == 1)
    }

    @Test func aTokenThatExpiresInTheMiddleIsRenewedOnce() async throws {
        let server = try await FakeServer()
        let device = try await TestDevice(server.origin)
        await server.drive.expireTokens()
        let end = try await device.put(device.folder.write("source", content(17 << 20)))
        #expect(end.state == .completed)
        #expect(await server.drive.refreshes == 1)
        try await device.close()
    }

    @Test(arguments: [
        ProblemCode.quotaExceeded, .nameConflict, .parentGone, .revisionConflict, .diskFull, .fileTooLarge,
    ])
    func aRefusalEndsTheTransferByItsName(code: ProblemCode) async throws {
        let (end, _, _, _) = try await upload(9 << 20) { await $0.fault("finalize", .refuse(code)) }
        #expect(end.state == .failed)
        #expect(end.failure?.problem?.code == code)
        #expect(end.failure?.code == FailureCode(code))
    }

    @Test func signingInIsAskedForAndTheTransferGoesOnAfterwards() async throws {
        let (end, _, _, _) = try await upload(9 << 20) { await $0.fault("chunk", .refuse(.deviceSignedOut)) }
        #expect(end.state == .paused(.signInNeeded))
        #expect(end.failure?.code == .signInNeeded)
    }

    @Test func aFileThatIsNotThereIsNamed() async throws {
        let server = try await FakeServer()
        let device = try await TestDevice(server.origin)
        await #expect { try await device.put("/nowhere/at/all") } throws: {
            ($0 as? ClientFailure)?.code == .fileMissing
        }
        await #expect { try await device.put(device.folder.path) } throws: {
            ($0 as? ClientFailure)?.code == .sourceNotAFile
        }
        try await device.close()
    }
}

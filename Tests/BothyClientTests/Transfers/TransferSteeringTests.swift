import BothyClient
import BothyContent
import BothyContract
import Foundation
import NIOCore
import Testing

@Suite struct TransferSteeringTests {
    private func content(_ size: Int) -> [UInt8] {
        var random = SeededRandom(UInt64(size))
        return random.bytes(size)
    }

    @Test func aHomeThatWasClosedInTheMiddleGoesOnWithoutSendingTwice() async throws {
        let server = try await FakeServer()
        let folder = try TemporaryFolder()
        let bytes = content(21 << 20)
        let path = try folder.write("source", bytes)
        await server.drive.fault("finalize", .refuse(.deviceSignedOut))
        let first = try await TestDevice(server.origin, folder: folder)
        let stopped = try await first.put(path)
        #expect(stopped.state == .paused(.signInNeeded))
        try await first.close()

        let second = try await TestDevice(server.origin, folder: folder)
        let listed = try await second.home.transfers.list()
        #expect(listed.map(\.id) == [stopped.id])
        let end = try await second.put(path)
        #expect(end.id == stopped.id)
        #expect(end.state == .completed)
        #expect(await server.drive.bodyBytes == bytes.count)
        #expect(await server.drive.contents.values.contains(bytes))
        try await second.close()
    }

    @Test func aSourceThatChangedIsANewTransferAndTheOlderOneIsCanceled() async throws {
        let server = try await FakeServer()
        let device = try await TestDevice(server.origin)
        let path = try device.folder.write("source", content(9 << 20))
        await server.drive.fault("finalize", .refuse(.quotaExceeded))
        let old = try await device.put(path)
        #expect(old.state == .failed)
        let newer = content((9 << 20) + 1)
        try device.folder.write("source", newer)
        let end = try await device.put(path)
        #expect(end.id != old.id)
        #expect(end.state == .completed)
        #expect(await server.drive.contents.values.contains(newer))
        let superseded = try await device.home.transfers.snapshot(old.id)
        #expect(superseded.state == .canceled)
        #expect(superseded.replacedBy == end.id)
        try await device.close()
    }

    /// Under a request that nobody has written down, the device would take its own file for somebody's.
    @Test func whatSomebodyKeepsAccountOfIsSentUnderNoOtherRequest() async throws {
        let server = try await FakeServer()
        let folder = try TemporaryFolder()
        let path = try folder.write("source", content(9 << 20))
        let order = UploadOrder(localPath: path, name: "source", parentId: File.rootId, conflict: .fail)
        let first = try await TestDevice(server.origin, folder: folder)
        await server.drive.fault("finalize", .refuse(.deviceSignedOut))
        await #expect(throws: ClientFailure.self) { try await first.home.transfers.upload(order, as: "kept") }
        try folder.write("source", content(9))
        await #expect { try await first.home.transfers.upload(order, as: "kept") } throws: {
            ($0 as? ClientFailure)?.code == .sourceChanged
        }
        #expect(try await first.home.transfers.list(over: true).map(\.id) == ["kept"])

        // Nor does whoever goes on with what was left behind send anything else, or anybody end it by sending the same file.
        #expect(try await first.put(path, as: "source", conflict: .fail).state == .completed)
        #expect(try await first.home.transfers.snapshot("kept").state == .failed)
        try await first.close()
        let store = TransferStore(database: try ClientDatabase(path: folder.file("home/client.sqlite")))
        _ = try await store.update("kept") { record in
            guard case .upload(var transfer) = record else { return }
            transfer.state = .queued
            record = .upload(transfer)
        }
        let second = try await TestDevice(server.origin, folder: folder)
        #expect(try await second.home.transfers.adopt() == ["kept"])
        #expect(try await second.rest("kept").state == .failed)
        #expect(try await second.home.transfers.list(over: true).count == 2)
        try await second.close()
    }

    /// Whoever keeps account of it asks again and again; a person's pause outlives that, and the program.
    @Test func whatAPersonHasPausedGoesOnOnlyByAPerson() async throws {
        let server = try await FakeServer()
        let folder = try TemporaryFolder()
        let order = UploadOrder(
            localPath: try folder.write("source", content(9 << 20)), name: "source", parentId: File.rootId)
        let first = try await TestDevice(server.origin, folder: folder)
        await server.drive.fault("finalize", .refuse(.deviceSignedOut))
        await #expect(throws: ClientFailure.self) { try await first.home.transfers.upload(order, as: "kept") }
        try await first.close()
        let store = TransferStore(database: try ClientDatabase(path: folder.file("home/client.sqlite")))
        _ = try await store.update("kept") { record in
            guard case .upload(var transfer) = record else { return }
            transfer.state = .paused(.user)
            record = .upload(transfer)
        }
        let second = try await TestDevice(server.origin, folder: folder)
        for _ in 0..<2 {
            await #expect { try await second.home.transfers.upload(order, as: "kept") } throws: {
                ($0 as? ClientFailure)?.code == .transferPaused
            }
            #expect(try await second.home.transfers.snapshot("kept").state == .paused(.user))
        }
        try await second.home.transfers.resume("kept")
        #expect(try await second.rest("kept").state == .completed)
        #expect(try await second.home.transfers.upload(order, as: "kept").isOld)
        try await second.close()
    }

    /// Each time by a runner of its own, as the journal and a folder in step send: the body stayed as long as it was for ever.
    @Test func aNetworkThatCutsEveryBodyOffMakesThemSmallerByAndBy() async throws {
        let server = try await FakeServer()
        let device = try await TestDevice(server.origin)
        let bytes = content(5 << 20)
        let path = try device.folder.write("source", bytes)
        await server.drive.cutConnections(after: 600 << 10)
        let transfers = device.home.transfers
        for size in [5 << 20, 2 << 20] {
            try device.folder.write("source", Array(bytes[..<size]))
            let order = UploadOrder(localPath: path, name: "source-\(size)", parentId: File.rootId)
            let isSent = try await comesToAnEnd { try await transfers.upload(order, as: "kept-\(size)").end.state }
            #expect(isSent, "\(size)")
        }
        let file = await server.drive.store(bytes, name: "a")
        let order = DownloadOrder(
            fileId: file.id, name: "a", destination: device.folder.file("out"), replacing: true)
        let isHere = try await comesToAnEnd { try await transfers.downloaded(order).state }
        #expect(isHere)
        try await device.close()
    }

    private func comesToAnEnd(_ attempt: () async throws -> TransferState) async throws -> Bool {
        for _ in 0..<100 {
            do {
                return try await attempt() == .completed
            } catch let failure as ClientFailure where failure.isNetworks {}
        }
        return false
    }

    /// "What waits goes on then", said the screen; and what a person asked of a process that died was forgotten.
    @Test func whoGoesOnHearsWhatWasAskedAndWaitsForNoSignInThatHasBeen() async throws {
        let server = try await FakeServer()
        let folder = try TemporaryFolder()
        let path = try folder.write("source", content(9 << 20))
        let first = try await TestDevice(server.origin, folder: folder)
        var ids = [String]()
        for _ in 0..<3 {
            await server.drive.fault("finalize", .refuse(.quotaExceeded))
            ids.append(try await first.put(path, as: "file-\(ids.count)").id)
        }
        try await first.close()
        let store = TransferStore(database: try ClientDatabase(path: folder.file("home/client.sqlite")))
        for (id, (state, wish)) in zip(
            ids, [(TransferState.paused(.signInNeeded), nil), (.transferring, TransferWish.cancel), (.queued, .pause)])
        {
            _ = try await store.update(id) { record in
                guard case .upload(var transfer) = record else { return }
                (transfer.state, transfer.runner) = (state, nil)
                record = .upload(transfer)
            }
            if let wish { try await store.setWish(wish, of: id) }
        }
        let second = try await TestDevice(server.origin, folder: folder)
        #expect(try await second.home.transfers.adopt() == [ids[0]])
        #expect(try await second.rest(ids[0]).state == .completed)
        #expect(try await second.home.transfers.snapshot(ids[1]).state == .canceled)
        #expect(try await second.home.transfers.snapshot(ids[2]).state == .paused(.user))
        try await second.close()
    }

    /// The home was put on another disk.
    @Test(arguments: [300, 9 << 20]) func whatMustBeHeldIsSentFromAnotherFileThatHoldsIt(size: Int) async throws {
        let server = try await FakeServer()
        let device = try await TestDevice(server.origin)
        let (bytes, path) = (content(size), device.folder.file("source"))
        try device.folder.write("source", bytes)
        var order = UploadOrder(localPath: path, name: "source", parentId: File.rootId)
        order.checksum = SHA256Hasher.hash(bytes)
        await server.drive.fault(size == 300 ? "whole" : "finalize", .refuse(.deviceSignedOut))
        await #expect(throws: ClientFailure.self) { try await device.home.transfers.upload(order, as: "kept") }
        try FileManager.default.moveItem(atPath: path, toPath: device.folder.file("before"))
        try device.folder.write("source", bytes)
        #expect(try await device.home.transfers.upload(order, as: "kept").end.state == .completed)
        #expect(await server.drive.contents.values.contains(bytes))
        // Another of its size is not what must be sent.
        await server.drive.fault(size == 300 ? "whole" : "finalize", .refuse(.deviceSignedOut))
        await #expect(throws: ClientFailure.self) { try await device.home.transfers.upload(order, as: "other") }
        try device.folder.write("source", bytes.reversed())
        await #expect { try await device.home.transfers.upload(order, as: "other") } throws: {
            ($0 as? ClientFailure)?.code == .sourceDamaged
        }
        try await device.close()
    }

    @Test func aTransferThatIsCanceledFreesItsSession() async throws {
        let server = try await FakeServer()
        let device = try await TestDevice(server.origin)
        let path = try device.folder.write("source", content(9 << 20))
        await server.drive.fault("finalize", .refuse(.quotaExceeded))
        let id = try await device.put(path).id
        #expect(await server.drive.sessions.count == 1)
        try await device.home.transfers.cancel(String(id.prefix(8)))
        #expect(await server.drive.sessions.isEmpty)
        #expect(try await device.home.transfers.snapshot(id).state == .canceled)
        #expect(try await device.home.transfers.list().isEmpty)
        try await device.close()
    }

    @Test func resumingWhatHasCompletedMeanwhileIsNoError() async throws {
        let server = try await FakeServer()
        let device = try await TestDevice(server.origin)
        let id = try await device.put(device.folder.write("source", content(10))).id
        try await device.home.transfers.resume(id)
        #expect(try await device.rest(id).state == .completed)
        try await device.close()
    }

    @Test func aDownloadThatIsCanceledLeavesNothingBehind() async throws {
        let server = try await FakeServer()
        let device = try await TestDevice(server.origin)
        let file = await server.drive.store(content(9 << 20), name: "a")
        await server.drive.fault("content", .refuse(.accountDisabled))
        let id = try await device.get(file.id, to: device.folder.file("out")).id
        #expect(try device.folder.names().contains { $0.hasSuffix(".bothy-part") })
        try await device.home.transfers.cancel(id)
        #expect(try device.folder.names() == ["home"])
        try await device.close()
    }

    @Test func aDownloadThatNobodyGoesOnWithLeavesNothingBehind() async throws {
        let server = try await FakeServer()
        let device = try await TestDevice(server.origin)
        let file = await server.drive.store(content(9 << 20), name: "a")
        for name in ["in old", "in new", "out old"] {
            await server.drive.fault("content", .refuse(.accountDisabled))
            _ = try await device.get(file.id, to: device.folder.file(name))
        }
        try await device.home.transfers.giveUpDownloads(
            to: device.folder.file("in "), but: [device.folder.file("in new")])
        let parts = try device.folder.names().filter { $0.hasSuffix(".bothy-part") }
        #expect(parts.map { $0.prefix(8) } == [".in new.", ".out old"])
        let open = try await device.home.transfers.list().map(\.localPath)
        #expect(open.sorted() == [device.folder.file("in new"), device.folder.file("out old")])
        try await device.close()
    }

    @Test func retryingFromScratchSendsEverythingAgain() async throws {
        let server = try await FakeServer()
        let device = try await TestDevice(server.origin)
        let bytes = content(9 << 20)
        await server.drive.fault("finalize", .refuse(.quotaExceeded))
        let id = try await device.put(device.folder.write("source", bytes)).id
        try await device.home.transfers.retryFromScratch(id)
        let end = try await device.rest(id)
        #expect(end.state == .completed)
        #expect(await server.drive.bodyBytes == 2 * bytes.count)
        try await device.close()
    }

    @Test func whatComesFromStandardInputIsKeptUntilItIsSent() async throws {
        let server = try await FakeServer()
        let device = try await TestDevice(server.origin)
        let bytes = content(6 << 20)
        let pieces = AsyncStream { stream in
            for start in stride(from: 0, to: bytes.count, by: 100_000) {
                stream.yield(ByteBuffer(bytes: bytes[start..<min(start + 100_000, bytes.count)]))
            }
            stream.finish()
        }
        await server.drive.fault("finalize", .refuse(.quotaExceeded))
        let order = UploadOrder(localPath: "", name: "in", parentId: File.rootId)
        let id = try await device.home.transfers.upload(order, from: pieces)
        #expect(try await device.rest(id).state == .failed)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: device.folder.file("home/content/spool")).count == 1)
        try await device.home.transfers.retry(id)
        #expect(try await device.rest(id).state == .completed)
        #expect(await server.drive.contents.values.contains(bytes))
        #expect(try FileManager.default.contentsOfDirectory(atPath: device.folder.file("home/content/spool")).isEmpty)
        try await device.close()
    }

    @Test func whatCameFromStandardInputAndNobodySpeaksOfIsGivenUp() async throws {
        let server = try await FakeServer()
        let device = try await TestDevice(server.origin)
        let pieces = AsyncStream { stream in
            stream.yield(ByteBuffer(bytes: content(6 << 20)))
            stream.finish()
        }
        await server.drive.fault("finalize", .refuse(.quotaExceeded))
        let order = UploadOrder(localPath: "", name: "in", parentId: File.rootId)
        let waiting = try await device.home.transfers.upload(order, from: pieces)
        #expect(try await device.rest(waiting).state == .failed)
        let sent = try await device.put(device.folder.write("source", content(9)))
        for name in ["nobodys", sent.id] { try device.folder.write("home/content/spool/\(name)", content(3)) }
        func names(_ folder: String) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: device.folder.file("home/content/\(folder)")).sorted()
        }
        device.clock.jump(seconds: Int64(time(nil)) - device.clock.now().seconds + 3600)
        try await device.home.transfers.sweepSpool()
        #expect(try names("spool").count == 3, "somebody may still write it")
        device.clock.jump(seconds: 2 * 86_400)
        try await device.home.transfers.sweepSpool()
        #expect(try names("spool") == [waiting] && names("trash") == ["nobodys"])
        try await device.close()
    }

    @Test func manySmallFilesGoManyAtATime() async throws {
        let server = try await FakeServer()
        let device = try await TestDevice(server.origin)
        let orders = try (0..<200).map { number in
            UploadOrder(
                localPath: try device.folder.write("f\(number)", content(number)), name: "f\(number)",
                parentId: File.rootId)
        }
        let ids = try await device.home.transfers.upload(orders)
        var completed = Set<String>()
        for await snapshot in await device.home.transfers.observe(ids) where snapshot.state == .completed {
            completed.insert(snapshot.id)
        }
        #expect(completed == Set(ids))
        #expect(await server.drive.files.count == 200)
        try await device.close()
    }

    @Test func signingOutKeepsWhatIsPendingUntilItIsGivenUp() async throws {
        let server = try await FakeServer()
        let device = try await TestDevice(server.origin)
        await server.drive.fault("finalize", .refuse(.quotaExceeded))
        _ = try await device.put(device.folder.write("source", content(9 << 20)))
        await #expect { try await device.home.account.logout() } throws: {
            ($0 as? ClientFailure)?.code == .pendingWork
        }
        _ = try await device.home.account.logout(givingUp: true)
        #expect(try device.home.account.signedIn() == nil)
        #expect(try await device.home.transfers.list(over: true).isEmpty)
        try await device.close()
    }
}

import BothyContract
import Foundation
import Testing

@testable import BothyServer

@Suite struct VerificationTests {
    @Test func aRottenBlockIsNamedWithTheFilesThatHaveIt() async throws {
        let house = try await DataHouse()
        try await house.addAccount(1, "a@example.org")
        let folder = try await house.makeFolder("docs")
        let rotten = Block(200_000, seed: 1)
        try await house.put("old.txt", rotten.bytes, in: folder)
        try await house.put("copy.txt", rotten.bytes)
        try await house.put("old.txt", Block(200_000, seed: 2).bytes, in: folder)
        try await house.put("fine.txt", Block(200_000, seed: 3).bytes)
        let location = try #require(
            try await house.database.read { try BlockTable($0, drive: 1).location(of: rotten.hash) })
        let path = house.data.packs + "/" + PackFormat.fileName(location.pack)
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.seek(toOffset: UInt64(location.offset) + 100_000)
        try file.write(contentsOf: Data([rotten.bytes[100_000] ^ 1]))
        try file.close()

        let report = try await house.verification.run()
        #expect(report.blocks == 3)
        #expect(report.damaged.map(\.hash) == [rotten.hash])
        let files = report.damaged.flatMap(\.files)
        #expect(Set(files.map { "\($0.path) \($0.isHead)" }) == ["/docs/old.txt false", "/copy.txt true"])

        // Export leaves out what is damaged, names it, and writes everything else.
        let target = try TemporaryFolder()
        let written = try await house.export.run(to: target.file("out"), email: "a@example.org")
        #expect(written.leftOut.map(\.path) == [target.file("out") + "/a@example.org/copy.txt"])
        #expect(
            Set(try DataHouse.tree(target.file("out")).keys) == [
                "a@example.org/docs/old.txt", "a@example.org/fine.txt",
            ])
        try await house.close()
    }

    @Test func aPackThatIsGoneIsDamageNotAFault() async throws {
        let house = try await DataHouse()
        try await house.addAccount(1, "a@example.org")
        try await house.put("file", Block(5000, seed: 1).bytes)
        try await house.packs.close()
        try FileManager.default.removeItem(atPath: house.data.packs + "/" + PackFormat.fileName(1))
        let packs = try await FilesystemPackStore.open(folder: house.data.packs, minimumFreeBytes: 0, logger: .silent)
        let report = try await Verification(database: house.database, packs: packs).run()
        #expect(report.damaged.count == 1)
        try await packs.close()
        try await house.database.close()
    }
}

import BothyClient
import BothyContract
import Foundation
import RealServing
import Testing

/// What a disk has damaged of what a device keeps is never shown as it is: it comes again, or its damage is told.
@Suite(.timeLimit(.minutes(10))) struct DamagedHereTests {
    @Test func whatIsHeldComesAgainWithAConnectionAndIsToldOfWithoutOne() async throws {
        let server = try await RealServer()
        let (kitchen, laptop) = (
            try await server.device("kitchen", register: true), try await server.device("laptop", register: false)
        )
        try await DeviceWorld(kitchen, isConnected: true).put("a.txt", Array("hello".utf8))
        let here = try await DeviceWorld(laptop, isConnected: true)
        let file = try #require(try await here.folders.window(of: .root, order: .name, 0..<9).items.first)
        #expect(try await here.folders.beginning(of: file.id, most: 99) == Array("hello".utf8))
        let held = try path(of: "held", in: here)

        for most in [99, 2] {
            try flipABit(of: held, at: 4)
            #expect(try await here.folders.beginning(of: file.id, most: most) == Array("hello".utf8.prefix(most)))
            #expect(try Data(contentsOf: URL(fileURLWithPath: held)) == Data("hello".utf8), "it is whole again")
        }
        try flipABit(of: held, at: 4)
        await server.stop()
        await expectFailure(.offline, "copy of “a.txt” is damaged") {
            try await here.folders.beginning(of: file.id, most: 99)
        }
        #expect(!FileManager.default.fileExists(atPath: held))
        await expectFailure(.offline, "not on this device") { try await here.folders.beginning(of: file.id, most: 99) }
        try await kitchen.close()
        try await laptop.close()
    }

    @Test func whatWaitsToBeSentStaysAndIsNotCopied() async throws {
        let world = try await DeviceWorld.alone()
        let file = try await world.put("a.txt", Array("hello".utf8))
        let pending = try path(of: "pending", in: world)
        try flipABit(of: pending, at: 0)
        await expectFailure(.sourceDamaged, "“a.txt” that waits here to be sent is damaged") {
            try await world.folders.beginning(of: file, most: 99)
        }
        await expectFailure(.sourceDamaged, "“a.txt” that waits here to be sent is damaged") {
            try await world.actions.copy(file, to: .root)
        }
        #expect(try path(of: "pending", in: world) == pending, "it is the only copy")
        try await world.home.close()
    }

    private func path(of kind: String, in world: DeviceWorld) throws -> String {
        let folder = world.home.directory + "/content/" + kind
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(names.count == 1)
        return try folder + "/" + #require(names.first)
    }

    private func expectFailure<Value>(
        _ code: FailureCode, _ words: String, _ body: () async throws -> Value
    ) async {
        await #expect {
            _ = try await body()
        } throws: {
            let failure = $0 as? ClientFailure
            return failure?.code == code && failure?.words.contains(words) == true
        }
    }
}

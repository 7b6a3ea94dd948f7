@testable import BothyAgent
import BothyClient
import BothyContract
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct AgentConversationTests {
    private static let status = AgentStatus(
        version: AgentHome.version, pid: 4, startedAt: Timestamp(seconds: 1),
        lines: [AgentStatusLine("server", .idle, "All is well.")])

    /// 3: deeper than a socket's name has room for.
    @Test(arguments: [0, 3]) func aCommandAsksAndIsAnswered(_ depth: Int) async throws {
        let home = try AgentHome(depth: depth)
        let client = home.client()
        let (hello, status) = try await home.listening({ request, say in
            #expect(request == .status)
            try await say(.status(Self.status))
        }) { (try await client.hello(), try await client.status()) }
        #expect(hello?.version == AgentHome.version)
        #expect(status == Self.status)
    }

    @Test(arguments: 102...109) func aSocketsNameMayBeOfAnyLength(_ bytes: Int) async throws {
        let home = try AgentHome(socketPath: bytes)
        #expect(home.place.socketPath.utf8.count == bytes)
        let client = home.client()
        #expect(try await home.listening({ _, _ in }) { try await client.hello() } != nil)
    }

    @Test func whereNoAgentRunsNothingIsAsked() async throws {
        let home = try AgentHome()
        #expect(try await home.client().hello() == nil)
        #expect(try await home.client().ask(.look) == false)
        #expect(try await AgentClient(home: "/nonexistent", own: AgentHome.version).status() == nil)
    }

    @Test func aSocketThatIsLeftOverIsNoAgentAndNotInTheWay() async throws {
        let home = try AgentHome()
        try await home.listening({ _, _ in }) {}
        // As kill -9 leaves it: the socket is there, nobody listens, and the kernel has let go of the lock.
        let script = try home.program(
            "exec python3 -c 'import socket,sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' \(home.place.socketPath)"
        )
        let binding = try Process.run(URL(fileURLWithPath: script), arguments: [])
        binding.waitUntilExit()
        #expect(FileManager.default.fileExists(atPath: home.place.socketPath))
        #expect(try await home.client().hello() == nil)
        let client = home.client()
        let hello = try await home.listening({ _, _ in }) { try await client.hello() }
        #expect(hello != nil)
    }

    @Test func hangingUpCancelsWhatWasAsked() async throws {
        let home = try AgentHome()
        let (begun, begins) = AsyncStream<Void>.makeStream()
        let (cancelled, cancels) = AsyncStream<Void>.makeStream()
        let client = home.client()
        try await home.listening({ _, _ in
            begins.finish()
            await Cancellation.wait()
            cancels.finish()
        }) {
            let asking = Task { try await client.ask(.look) }
            for await _ in begun {}
            asking.cancel()
            for await _ in cancelled {}
        }
    }

    /// Who comes between the last that is served and the socket's end is hung up on, and nobody's process ends of it.
    @Test func commandsThatComeWhileTheAgentEndsAreHungUpOn() async throws {
        for _ in 0..<40 {
            let home = try AgentHome()
            let commands = try await home.listening({ _, _ in }) {
                (0..<16).map { _ in Task { [client = home.client()] in try? await client.hello() } }
            }
            for command in commands { _ = await command.value }
        }
    }

    @Test func whatIsLentComesBackWhenTheCommandHangsUp() async throws {
        let home = try AgentHome()
        let (returned, returns) = AsyncStream<Void>.makeStream()
        let client = home.client()
        try await home.listening({ request, say in
            #expect(request == .lend(part: "folders", subject: "one"))
            try await say(.granted)
            await Cancellation.wait()
            returns.finish()
        }) {
            let value = try await client.borrowing("one", of: "folders") { 5 }
            #expect(value == 5)
            for await _ in returned {}
        }
        #expect(try await client.borrowing("one", of: "folders") { 6 } == 6)
    }

    @Test func aFailureComesAcrossAsItWas() async throws {
        let home = try AgentHome()
        let failure = ClientFailure(.diskFull, "There is no room left.", remedy: "Make some.")
        let client = home.client()
        try await home.listening({ _, _ in throw failure }) {
            await #expect(throws: failure) { _ = try await client.ask(.look) }
        }
    }

    @Test func anotherLanguageIsSaidInWords() async throws {
        let home = try AgentHome()
        let client = home.client()
        try await home.listening(language: 2, { _, _ in }) {
            await #expect(throws: ClientFailure.self) { _ = try await client.ask(.look) }
            let hello = try await client.hello()
            #expect(hello?.language == 2)
        }
    }

    @Test func aFolderThatOthersCanEnterIsNotTrusted() throws {
        let home = try AgentHome()
        chmod(home.place.folder, 0o755)
        #expect(throws: ClientFailure.self) { _ = try AgentPlace.find(in: home.path) }
    }

    @Test func aFolderBehindALinkIsNotTrusted() throws {
        let (home, other) = (try AgentHome(), try AgentHome())
        try FileManager.default.removeItem(atPath: home.place.folder)
        try FileManager.default.createSymbolicLink(
            atPath: home.place.folder, withDestinationPath: other.place.folder)
        #expect(throws: ClientFailure.self) { _ = try AgentPlace.find(in: home.path) }
    }

    /// Somebody else's process, as the kernel says: this one's own person is a stranger to who asks for another.
    private static let another = PeerIdentity(person: getuid() + 1)

    @Test func anAgentOfSomebodyElseIsToldNothing() async throws {
        let home = try AgentHome()
        let client = AgentClient(home: home.path, own: AgentHome.version, agents: Self.another)
        try await home.listening({ _, _ in Issue.record("It was asked.") }) {
            for _ in 0..<3 {
                let failure = await #expect(throws: ClientFailure.self) { _ = try await client.ask(.look) }
                #expect(
                    failure?.words.contains("Another user's process listens") == true, "\(String(describing: failure))")
            }
        }
    }

    @Test func aCommandOfSomebodyElseIsNotAnswered() async throws {
        let home = try AgentHome()
        let client = home.client()
        try await home.listening(to: Self.another, { _, _ in Issue.record("It was answered.") }) {
            // Hung up on before it has said something, it finds nobody; after that, it fails.
            let isAnswered = (try? await client.ask(.look)) ?? false
            #expect(!isAnswered)
        }
    }

    @Test func aSecondAgentIsToldWhoIsTheFirst() throws {
        let home = try AgentHome()
        let lock = try home.lock()
        defer { withExtendedLifetime(lock) {} }
        let failure = #expect(throws: ClientFailure.self) { _ = try home.lock() }
        #expect(failure?.code == .agentRunning)
        #expect(failure?.words.contains("process \(getpid()), Bothy 1.2.3") == true)
    }
}

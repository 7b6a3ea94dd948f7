import BothyAgent
import BothyClient
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct AgentLauncherTests {
    private static let starts = "echo \"$@\" >> \"$BOTHY_HOME/started\"; printf ready >&3"

    @Test func whereNoneRunsOneIsStartedAndWaitedFor() async throws {
        let home = try AgentHome()
        try await home.launcher(home.program(Self.starts)).ensure()
        #expect(home.read("started") == "agent --ready-descriptor 3\n")
    }

    @Test func itHasASessionOfItsOwnAndNothingOfTheTerminal() async throws {
        let home = try AgentHome()
        let program = try home.program(
            "cut -d' ' -f6 /proc/$$/stat > \"$BOTHY_HOME/session\"; echo $$ > \"$BOTHY_HOME/process\"; pwd > \"$BOTHY_HOME/folder\"; ls /proc/$$/fd > \"$BOTHY_HOME/open\"; readlink /proc/$$/fd/0 > \"$BOTHY_HOME/input\"; printf ready >&3"
        )
        try await home.launcher(program).ensure()
        #expect(home.read("session") == home.read("process"))
        #expect(home.read("folder") == "/\n")
        #expect(home.read("input") == "/dev/null\n")
        let open = home.read("open")?.split(separator: "\n").compactMap { Int($0) } ?? []
        // The shell keeps the script open by a number of its own.
        #expect(open.filter { $0 < 10 } == [0, 1, 2, 3])
    }

    @Test func anAgentOfThisReleaseOrANewerOneIsLeftAlone() async throws {
        let home = try AgentHome()
        let launcher = home.launcher(try home.program(Self.starts))
        for version in [AgentHome.version, AgentVersion(release: "9.0.0", build: 0)] {
            try await home.listening(as: version, { _, _ in }) { try await launcher.ensure() }
        }
        #expect(home.read("started") == nil)
    }

    @Test(arguments: [AgentVersion(release: "1.2.2", build: 900), AgentVersion(release: "1.2.3", build: 99)])
    func anOlderAgentIsEndedAndAnotherStarted(_ older: AgentVersion) async throws {
        let home = try AgentHome()
        let launcher = home.launcher(try home.program(Self.starts))
        let (asked, asks) = AsyncStream<Void>.makeStream()
        let old = Task {
            try await home.listening(
                as: older,
                { request, _ in
                    #expect(request == .stop)
                    asks.finish()
                }
            ) {
                for await _ in asked {}
                // It ends in order, and lets go of the lock.
            }
        }
        while try await home.client().hello() == nil { await Task.yield() }
        try await launcher.ensure()
        try await old.value
        #expect(home.read("started") == "agent --ready-descriptor 3\n")
    }

    @Test func whatItFailsWithIsTold() async throws {
        let home = try AgentHome()
        let program = try home.program(
            #"printf '{"code":"home_newer","words":"A newer Bothy has written it.","remedy":"Update."}' >&3"#)
        let failure = await #expect(throws: ClientFailure.self) { try await home.launcher(program).ensure() }
        #expect(failure?.code == .homeNewer)
    }

    @Test(arguments: ["exit 1", "kill -9 $$"]) func oneThatDiesIsNotWaitedFor(_ end: String) async throws {
        let home = try AgentHome()
        let failure = await #expect(throws: ClientFailure.self) { try await home.launcher(home.program(end)).ensure() }
        #expect(failure?.code == .agentFailed)
        #expect(failure?.remedy.contains("agent/log") == true)
    }

    @Test func whatItWritesIsInTheLogOfTheHome() async throws {
        let home = try AgentHome()
        try await home.launcher(home.program("echo to the log; echo and this >&2; printf ready >&3")).ensure()
        #expect(home.read("agent/log") == "to the log\nand this\n")
    }
}

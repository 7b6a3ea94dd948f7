import BothyClient
import Testing

/// What is news: what was not there at the look before.
@Suite struct NoticeMachineTests {
    private func look(
        _ waiting: [NoticeKind: [String: String]] = [:], needsSignIn: Bool = false, arrived: [String] = []
    ) -> NoticeMachine.Look {
        var look = NoticeMachine.Look()
        look.waiting = waiting
        look.needsSignIn = needsSignIn
        look.arrived = arrived
        return look
    }

    @Test func whatWasThereAtTheBeginningIsNoNews() {
        var machine = NoticeMachine()
        let all = look(
            [.conflict: ["1": "a"], .held: ["2": "b"], .failed: ["3": "c"]], needsSignIn: true, arrived: ["d"])
        #expect(machine.take(all).isEmpty)
        #expect(machine.take(look([.conflict: ["1": "a"]], needsSignIn: true)).isEmpty)
    }

    @Test(arguments: [NoticeKind.conflict, .held, .failed])
    func whatIsNewIsToldOnceAndTogether(_ kind: NoticeKind) {
        var machine = NoticeMachine()
        _ = machine.take(look([kind: ["1": "a"]]))
        let new = look([kind: ["1": "a", "3": "c", "2": "b"]])
        #expect(machine.take(new) == [DeviceNotice(kind, count: 2, name: "b")])
        #expect(machine.take(new).isEmpty)
        #expect(machine.take(look([kind: ["2": "b"]])).isEmpty, "that something is over is no news")
        #expect(machine.take(look([kind: ["1": "a", "2": "b"]])) == [DeviceNotice(kind, count: 1, name: "a")])
    }

    /// It was all told as new once the server had answered, and once a switch was turned on.
    @Test func whatIsKnownForTheFirstTimeIsNoNews() {
        var machine = NoticeMachine()
        _ = machine.take(look())
        #expect(machine.take(look([.mention: ["1": "Ann"]])).isEmpty)
        #expect(machine.take(look([.mention: ["1": "Ann", "2": "Ben"]])) == [DeviceNotice(.mention, name: "Ben")])
        _ = machine.take(look())
        #expect(machine.take(look([.mention: ["3": "Cleo"]])).isEmpty)
    }

    @Test func aSignInThatEndsIsToldEachTimeThatItEnds() {
        var machine = NoticeMachine()
        _ = machine.take(look())
        #expect(machine.take(look(needsSignIn: true)) == [DeviceNotice(.signIn)])
        #expect(machine.take(look(needsSignIn: true)).isEmpty)
        #expect(machine.take(look()).isEmpty)
        #expect(machine.take(look(needsSignIn: true)) == [DeviceNotice(.signIn)])
    }

    @Test func whatCameIsToldAsMuchAsItIs() {
        var machine = NoticeMachine()
        _ = machine.take(look())
        #expect(machine.take(look(arrived: ["a", "b"])) == [DeviceNotice(.update, count: 2, name: "a")])
        #expect(machine.take(look(arrived: ["a"])) == [DeviceNotice(.update, count: 1, name: "a")])
        #expect(machine.take(look()).isEmpty)
    }
}

import Simulation
import Testing

@Suite struct ShrinkerTests {
    private static let noise = Event.arrivals

    @Test func whatMattersIsLeftAndNothingElse() async {
        let schedule = (0..<100).map { $0 == 17 || $0 == 80 ? Event.days($0) : Self.noise }
        var shrinker = Shrinker<Event> { events in events.contains(.days(17)) && events.contains(.days(80)) }
        #expect(await shrinker.shrink(schedule) == [.days(17), .days(80)])
    }

    @Test func aFailureThatNeedsNothingShrinksToNothing() async {
        var shrinker = Shrinker<Event> { _ in true }
        #expect(await shrinker.shrink([.days(1), .days(2)]) == [])
    }

    @Test func passesAreMadeQuiet() async {
        let loud = PassConditions(
            dice: 7, faults: .bad, crashAt: 3,
            interruptions: [.init(call: 2, event: .days(1)), .init(call: 5, event: .days(2))])
        var shrinker = Shrinker<Event> { events in
            events.contains { event in
                guard case .pass(_, let conditions) = event else { return false }
                return conditions.interruptions.contains { $0.event == .days(2) }
            }
        }
        let shrunk = await shrinker.shrink([Self.noise, .pass(device: 0, loud), Self.noise])
        let quiet = PassConditions(dice: 7, interruptions: [.init(call: 5, event: .days(2))])
        #expect(shrunk == [.pass(device: 0, quiet)])
    }

    @Test func itEndsWhenItsBudgetDoes() async {
        var runs = 0
        var shrinker = Shrinker<Event>(budget: 10) { _ in
            runs += 1
            return false
        }
        _ = await shrinker.shrink((0..<100).map { .days($0) })
        #expect(runs == 10)
    }

    @Test func aSeedMakesOneSchedule() {
        var (first, second) = (
            ScheduleMaker(seed: 9, size: SimulationSize()), ScheduleMaker(seed: 9, size: SimulationSize())
        )
        #expect(first.shape == second.shape)
        #expect(first.schedule() == second.schedule())
        var other = ScheduleMaker(seed: 10, size: SimulationSize())
        #expect(other.schedule() != first.schedule())
    }
}

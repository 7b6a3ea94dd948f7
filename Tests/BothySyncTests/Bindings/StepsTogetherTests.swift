import Testing

@testable import BothySync

/// Steps that several take together.
@Suite struct StepsTogetherTests {
    private struct Fault: Error, Equatable { var number: Int }

    @Test func whoHasFailedTakesNoFurtherStep() async throws {
        let before: [Result<Int, any Error>] = [
            .success(1), .failure(Fault(number: 2)), .success(3), .failure(Fault(number: 4)), .success(5),
        ]
        var given = [Int]()
        let after = await before.further { numbers in
            given = numbers
            return numbers.map { $0 == 3 ? .failure(Fault(number: 3)) : .success("\($0)") }
        }
        #expect(given == [1, 3, 5])
        #expect(after.map { try? $0.get() } == ["1", nil, nil, nil, "5"])
        #expect(throws: Fault(number: 2)) { try after[1].get() }
        #expect(throws: Fault(number: 3)) { try after[2].get() }
    }

    @Test func aStepThatFailsAsAWholeHasFailedForEach() async throws {
        let before: [Result<Int, any Error>] = [.success(1), .failure(Fault(number: 2)), .success(3)]
        let after: [Result<Int, any Error>] = await before.further { _ in throw Fault(number: 9) }
        #expect(throws: Fault(number: 9)) { try after[0].get() }
        #expect(throws: Fault(number: 2)) { try after[1].get() }
        #expect(throws: Fault(number: 9)) { try after[2].get() }
    }

    @Test func nobodyIsAskedForNobody() async {
        let before: [Result<Int, any Error>] = [.failure(Fault(number: 1))]
        let after: [Result<Int, any Error>] = await before.further { _ in
            Issue.record("a step for nobody")
            return []
        }
        #expect(after.count == 1)
    }
}

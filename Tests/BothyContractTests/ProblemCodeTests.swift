import BothyContract
import Testing

@Suite struct ProblemCodeTests {
    @Test(arguments: ProblemCode.allCases)
    func everyCodeIsAWordForMachinesAndATitleForPeople(_ code: ProblemCode) {
        #expect(code.rawValue.utf8.allSatisfy { (97...122).contains($0) || $0 == UInt8(ascii: "_") })
        #expect(!code.title.isEmpty && !code.title.hasSuffix("."))
        #expect(code.type == "/problems/\(code.rawValue)")
    }

    /// «No 5xx» means none but the documented 503 and 507; 500 is what a fault of ours looks like.
    @Test(arguments: ProblemCode.allCases)
    func everyStatusIsOneThatTheContractKnows(_ code: ProblemCode) {
        let isKnown = (400...431).contains(code.status) || [503, 507].contains(code.status)
        #expect(isKnown || code == .internalError)
    }

    @Test func titlesAreToldApart() {
        #expect(Set(ProblemCode.allCases.map(\.title)).count == ProblemCode.allCases.count)
    }

    @Test(arguments: ProblemCode.allCases)
    func aProblemReadsAsItWasWritten(_ code: ProblemCode) throws {
        let problem = Problem(code, "What happened.").with {
            $0.missing = [ChunkRun(first: 1, last: 4)]
            $0.retryAfter = 7
        }
        let read = try WireCoding.decode(Problem.self, from: WireCoding.encode(problem))
        #expect(read == problem)
        #expect(read.status == code.status)
    }
}

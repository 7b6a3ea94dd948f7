import BothyClient
import BothyContract
import Testing

@testable import BothySync

/// What of a plan goes together.
@Suite struct ActionCompanyTests {
    private func upload(_ number: Int, _ size: Int64, over: Bool = false) -> Action {
        let mine = LocalFingerprint(LocalFacts(kind: .file, stamp: LocalStamp(inode: 7, size: size)))
        let spot = Spot(Place(text: "\(number)"), folderId: nil, remoteName: "a")
        return Action(.upload(at: spot, mine: mine, over: over ? theirs(size) : nil, insteadOf: nil), .createdHere)
    }

    private func download(_ number: Int, _ size: Int64, over: Bool = false) -> Action {
        let mine = LocalFingerprint(LocalFacts(kind: .file, stamp: LocalStamp(inode: 7, size: size)))
        let spot = Spot(Place(text: "\(number)"), folderId: nil, remoteName: "a")
        return Action(.download(at: spot, theirs: theirs(size), over: over ? mine : nil), .createdThere)
    }

    private func theirs(_ size: Int64) -> RemoteFingerprint {
        RemoteFingerprint(RemoteFacts(id: "f", kind: .file, headRevisionId: "r", size: size))
    }

    private func actions(_ company: ActionCompany) -> [Action] {
        switch company {
        case .alone(let action): [action]
        case .uploads(let actions), .downloads(let actions): actions
        }
    }

    @Test(arguments: 0..<200 as Range<UInt64>) func eachIsInOneCompanyThatFitsIntoARequest(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let sizes: [Int64] = [0, 9, 7000, 60 << 10, 100 << 10, 128 << 10, 129 << 10, 1 << 20]
        let begun = (0..<Int.random(in: 0...500, using: &random)).map { number in
            let size = sizes.randomElement(using: &random) ?? 0
            let over = Int.random(in: 0..<4, using: &random) == 0
            let isUp = Bool.random(using: &random)
            return (place: number, action: isUp ? upload(number, size, over: over) : download(number, size, over: over))
        }
        var seen = [Int]()
        for (places, company) in ActionCompany.all(of: begun) {
            #expect(places == places.sorted() && !places.isEmpty)
            #expect(actions(company) == places.map { begun[$0].action })
            let bytes = actions(company).reduce(0) { $0 + $1.step.bytes }
            #expect(places.count == 1 || places.count <= SharedRequest.mostFiles && bytes <= SharedRequest.mostBytes)
            if places.count > 1 { #expect(actions(company).allSatisfy { $0.step.bytes <= 128 << 10 }) }
            seen += places
        }
        #expect(seen.sorted() == Array(begun.indices))
    }

    @Test func smallFilesFillRequestsOneAfterTheOther() {
        let begun = (0..<300).map { (place: $0, action: upload($0, 300)) }
        let counts = ActionCompany.all(of: begun).map(\.places.count)
        #expect(counts == [SharedRequest.mostFiles, SharedRequest.mostFiles, 300 - 2 * SharedRequest.mostFiles])
    }

    @Test func whatIsLargeOrTakesAnothersPlaceHereGoesAlone() {
        let alone = [
            upload(0, 1 << 20), download(1, 1 << 20), download(2, 9, over: true), upload(3, 100 << 10, over: true),
        ]
        let begun = (alone + alone).enumerated().map { (place: $0, action: $1) }
        for (_, company) in ActionCompany.all(of: begun) {
            guard case .alone = company else {
                Issue.record("\(company) go together")
                continue
            }
        }
    }
}

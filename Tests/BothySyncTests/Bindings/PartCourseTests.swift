import BothyClient
import BothyContract
import Testing

@testable import BothySync

/// A part of a wave, whatever comes to its end first: each action is begun once, in its order, no more side by side than may be, and what
/// came of it is handed out once.
@Suite struct PartCourseTests {
    private func file(_ number: Int, _ size: Int64) -> Action {
        let place = Place(text: "\(number)")
        let mine = LocalFingerprint(LocalFacts(kind: .file, stamp: LocalStamp(inode: 7, size: size)))
        let spot = Spot(place, folderId: nil, remoteName: NodeName(place.name.text))
        return Action(.upload(at: spot, mine: mine, over: nil, insteadOf: nil), .createdHere)
    }

    private func part(_ random: inout SeededGenerator) -> ActionWave.Part {
        let actions = (0..<Int.random(in: 1...600, using: &random)).map { number in
            file(number, [9, 300 << 10, 20 << 20].randomElement(using: &random) ?? 9)
        }
        let width = Int.random(in: 1...80, using: &random)
        return ActionWave.Part(
            actions: actions, keepsOrder: Bool.random(using: &random), width: width,
            most: Int.random(in: width...300, using: &random))
    }

    /// How many are begun in all once nothing more is but what goes side by side.
    private func lastBegun(of part: ActionWave.Part, after begun: Int) -> Int {
        let rest = part.actions.dropFirst(begun).map(\.step.bytes)
        let fits = rest.indices.first { index in
            index >= part.width && (index >= part.most || rest[...index].reduce(0, +) > ActionWave.mostBytes)
        }
        return begun + (fits ?? rest.count)
    }

    @Test(arguments: 0..<300 as Range<UInt64>) func eachIsBegunAndHandedOutOnce(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let part = part(&random)
        let change = Int.random(in: 0...1200, using: &random)
        var course = PartCourse<Int>(part, hasChanged: change == 0)
        var (begun, handedOut, underWay) = ([Int](), [Int](), [Int]())
        var mostBegun = change == 0 ? lastBegun(of: part, after: 0) : part.actions.count
        var hasEnded = change == 0
        while true {
            while let (place, action) = course.next() {
                let bytes = underWay.reduce(0) { $0 + part.actions[$1].step.bytes }
                #expect(part.admits(action, beside: underWay.count, with: bytes) && action == part.actions[place])
                begun.append(place)
                underWay.append(place)
            }
            #expect(course.isUnderWay == !underWay.isEmpty)
            guard course.isUnderWay else { break }
            underWay.shuffle(using: &random)
            let ended = underWay.prefix(Int.random(in: 0...9, using: &random))
            underWay.removeFirst(ended.count)
            handedOut += course.ended(ended.map { (place: $0, outcome: $0) }).map { action, place in
                #expect(action == part.actions[place])
                return place
            }
            if begun.count >= change {
                if !hasEnded { mostBegun = lastBegun(of: part, after: begun.count) }
                hasEnded = true
                course.comeToAnEnd()
            }
        }
        #expect(begun.count == mostBegun && begun == Array(begun.indices))
        let isAll = part.keepsOrder ? handedOut == begun : handedOut.sorted() == begun
        #expect(isAll)
    }

    /// What begins at one moment goes together: one by one as places become free each would go alone.
    @Test func onceItIsFullNothingIsBegunUntilHalfOfItHasEnded() {
        let part = ActionWave.Part(actions: (0..<300).map { file($0, 9) }, width: 4, most: 100)
        var course = PartCourse<Int>(part, hasChanged: false)
        func begun() -> Int {
            var count = 0
            while course.next() != nil { count += 1 }
            return count
        }
        func end(_ places: Range<Int>) { _ = course.ended(places.map { (place: $0, outcome: $0) }) }
        #expect(begun() == 100)
        end(0..<49)
        #expect(begun() == 0)
        end(49..<50)
        #expect(begun() == 50)
        end(50..<96)
        #expect(begun() == 0)
        // A large one beside small ones is not waited for.
        let mixed = ActionWave.Part(
            actions: [file(0, ActionWave.mostBytes - 900)] + (1..<300).map { file($0, 9) }, width: 4, most: 200)
        course = PartCourse<Int>(mixed, hasChanged: false)
        #expect(begun() == 101)
        end(1..<52)
        #expect(begun() == 51)
        // Fewer than go side by side whatever they carry are never waited for.
        let large = ActionWave.Part(
            actions: (0..<300).map { file($0, ActionWave.mostBytes / 3) }, width: 4, most: 100)
        course = PartCourse<Int>(large, hasChanged: false)
        #expect(begun() == 4)
        end(0..<1)
        #expect(begun() == 1)
    }

    @Test func whatIsHandedOutTogetherIsInTheOrderOfThePlan() {
        let part = ActionWave.Part(actions: (0..<9).map { file($0, 9) }, width: 9, most: 9)
        var course = PartCourse<Int>(part, hasChanged: false)
        while course.next() != nil {}
        let ready = course.ended([5, 2, 8, 0].map { (place: $0, outcome: $0) })
        #expect(ready.map(\.1) == [0, 2, 5, 8])
    }

    /// What is next in the wave goes into them.
    @Test func allFoldersAreMadeThoughSomethingHasChanged() {
        let place = Place(text: "a")
        let theirs = RemoteFingerprint(RemoteFacts(id: "id", kind: .folder))
        let spot = Spot(place, folderId: nil, remoteName: NodeName(place.name.text))
        let folder = Action(.makeLocalFolder(at: spot, theirs: theirs), .createdThere)
        let part = ActionWave.Part(actions: Array(repeating: folder, count: 40), width: 16, most: 16)
        var course = PartCourse<Int>(part, hasChanged: true)
        var begun = 0
        while let (place, _) = course.next() {
            begun += 1
            _ = course.ended([(place: place, outcome: place)])
        }
        #expect(begun == 40)
    }

    @Test func whatStandsOnWhatWasBeforeItWaitsForThat() {
        let part = ActionWave.Part(actions: (0..<4).map { file($0, 9) }, keepsOrder: true, width: 9, most: 9)
        var course = PartCourse<Int>(part, hasChanged: false)
        while course.next() != nil {}
        #expect(course.ended([(place: 1, outcome: 1), (place: 3, outcome: 3)]).isEmpty)
        #expect(course.ended([(place: 0, outcome: 0)]).map(\.1) == [0, 1])
        #expect(course.ended([(place: 2, outcome: 2)]).map(\.1) == [2, 3])
    }
}

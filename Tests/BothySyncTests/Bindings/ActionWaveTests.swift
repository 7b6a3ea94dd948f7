import BothyClient
import BothyContract
import Testing

@testable import BothySync

/// What goes side by side: all of a plan is taken once, no folder before the one that it lies in, no file before its folder, and nothing
/// past what makes way for something.
@Suite struct ActionWaveTests {
    private func spot(_ text: String) -> Spot {
        let place = Place(text: text)
        return Spot(place, folderId: nil, remoteName: NodeName(place.name.text))
    }

    private func here(_ size: Int64, _ kind: NodeKind = .file) -> LocalFingerprint {
        LocalFingerprint(LocalFacts(kind: kind, stamp: LocalStamp(inode: 7, size: size)))
    }

    private func there(_ size: Int64, _ kind: NodeKind = .file) -> RemoteFingerprint {
        RemoteFingerprint(RemoteFacts(id: "id", kind: kind, size: size))
    }

    private func folder(_ text: String, isThere: Bool = true) -> Action {
        let step: Step =
            isThere
            ? .makeRemoteFolder(at: spot(text), mine: here(0, .folder), insteadOf: nil)
            : .makeLocalFolder(at: spot(text), theirs: there(0, .folder))
        return Action(step, .createdHere)
    }

    private func file(_ text: String, _ size: Int64 = 9) -> Action {
        Action(.upload(at: spot(text), mine: here(size), over: nil, insteadOf: nil), .createdHere)
    }

    private func deletion(_ text: String) -> Action {
        Action(.trashRemote(there(9), at: Place(text: text), count: 1), .deletedHere)
    }

    private func record(_ text: String) -> Action {
        Action(.record(at: spot(text), mine: here(9), theirs: there(9)), .createdHere)
    }

    private func waves(_ actions: [Action], width: Int) -> [ActionWave] {
        var (waves, rest) = ([ActionWave](), actions[...])
        while !rest.isEmpty {
            waves.append(ActionWave(of: rest, width: width))
            rest = rest.dropFirst(waves[waves.count - 1].count)
        }
        return waves
    }

    /// Folder by folder, as a plan goes, with deletions between.
    private func plan(_ random: inout SeededGenerator) -> [Action] {
        var actions = [Action]()
        for top in 0..<Int.random(in: 1...4, using: &random) {
            actions.append(folder("t\(top)"))
            for below in 0..<Int.random(in: 0...6, using: &random) {
                actions.append(folder("t\(top)/b\(below)", isThere: below % 2 == 0))
                for name in 0..<Int.random(in: 0...40, using: &random) {
                    let size = [Int64](arrayLiteral: 9, 9, 9, 20 << 20).randomElement(using: &random) ?? 9
                    actions.append(file("t\(top)/b\(below)/f\(name)", size))
                }
                if Int.random(in: 0..<5, using: &random) == 0 { actions.append(deletion("t\(top)/b\(below)/old")) }
                if Int.random(in: 0..<5, using: &random) == 0 { actions.append(record("t\(top)/b\(below)/known")) }
            }
        }
        return actions
    }

    @Test(arguments: 0..<200 as Range<UInt64>) func eachIsTakenOnceAfterWhatItStandsOn(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let actions = plan(&random)
        let width = [1, 2, 64, .max].randomElement(using: &random) ?? 1
        var made = Set<Place>()
        var taken = [Action]()
        var passed = 0
        for wave in waves(actions, width: width) {
            #expect((1...ActionWave.most).contains(wave.count))
            #expect(wave.parts.allSatisfy { !$0.actions.isEmpty && $0.width >= 1 })
            for part in wave.parts.map(\.actions) {
                for action in part where !action.step.places[0].parent.isRoot {
                    #expect(made.contains(action.step.places[0].parent), "its folder was made before")
                }
                for case .makeRemoteFolder(let spot, _, _) in part.map(\.step) { made.insert(spot.place) }
                for case .makeLocalFolder(let spot, _) in part.map(\.step) { made.insert(spot.place) }
                let kinds = Set(part.map { $0.step.movesBytes ? 0 : $0.step.makesFolder ? 1 : 2 })
                #expect(kinds.count == 1, "what goes side by side is of one kind")
            }
            // What a wave takes is what comes next in the plan, so nothing goes past what is taken by itself.
            let all = wave.parts.flatMap(\.actions)
            let next = actions[passed..<(passed + wave.count)]
            #expect(Set(all.map(\.step.places)) == Set(next.map(\.step.places)))
            if all.contains(where: { if case .trashRemote = $0.step { true } else { false } }) {
                #expect(all.count == 1)
            }
            passed += wave.count
            taken += all
        }
        #expect(taken.count == actions.count)
    }

    @Test func foldersOfALevelAreMadeTogetherAndFilesOfManyFoldersGoTogether() {
        let actions = [
            folder("a"), folder("a/x"), file("a/x/1"), file("a/x/2"), folder("a/y"), file("a/y/1"), folder("b"),
            file("b/1"), deletion("c"), file("d"),
        ]
        let waves = waves(actions, width: 64)
        let places = waves.map { $0.parts.map { $0.actions.map(\.step.places[0].text) } }
        #expect(
            places == [
                [["a", "b"], ["a/x", "a/y"], ["a/x/1", "a/x/2", "a/y/1", "b/1"]], [["c"]], [["d"]],
            ])
    }

    /// How many of a part go side by side at first.
    private func beside(_ part: ActionWave.Part) -> Int {
        var (count, bytes) = (0, Int64(0))
        while count < part.actions.count, part.admits(part.actions[count], beside: count, with: bytes) {
            bytes += part.actions[count].step.bytes
            count += 1
        }
        return count
    }

    @Test func largeFilesGoInTheUsualWidthAndSmallOnesInMore() {
        func first(_ size: Int64) -> Int {
            beside(ActionWave(of: (0..<700).map { file("\($0)", size) }[...], width: 64).parts[0])
        }
        #expect(first(9) == ActionWave.mostSmall)
        #expect(first(1 << 20) == 64)
        #expect(first(300 << 10) == Int(ActionWave.mostBytes / (300 << 10)))
        #expect(waves((0..<3).map { file("\($0)") }, width: 1).map(\.count) == [1, 1, 1])
    }

    @Test func notAllOfAThousandFoldersAreAskedForAtOnce() {
        let parts = ActionWave(of: (0..<1000).map { folder("f\($0)") }[...], width: 64).parts
        #expect(parts.map(\.actions.count) == [1000] && beside(parts[0]) == ActionWave.mostFolders)
        #expect(beside(ActionWave(of: (0..<9).map { folder("f\($0)") }[...], width: 4).parts[0]) == 4)
    }

    @Test func aLongPlanIsTakenInSeveralWaves() {
        let files = (0..<ActionWave.most + 9).map { file("\($0)") }
        #expect(waves(files, width: 64).map(\.count) == [ActionWave.most, 9])
    }

    /// Nothing of it can be done, and a pass that tries it again and again does nothing else.
    @Test func whatGoesIntoAFolderThatWasRefusedIsNotTriedInThatPass() {
        var report = PassReport()
        report.refuse(folder("r/x", isThere: false))
        #expect(report.isInUnmade(file("r/x/f")) && report.isInUnmade(folder("r/x/y")))
        #expect(
            !report.isInUnmade(file("r/f")) && !report.isInUnmade(folder("r/xy"))
                && !report.isInUnmade(deletion("r/x/d")))
        #expect(!report.isRefused(file("r/x/f")), "it waits")
    }

    @Test func whatIsOnlyWrittenDownIsWrittenDownTogether() {
        let actions = (0..<700).map { record("\($0)") } + [file("f")]
        #expect(waves(actions, width: 64).map(\.count) == [700, 1])
        let parts = waves(actions, width: 64).map { $0.parts[0] }
        #expect(beside(parts[0]) == ActionWave.mostSmall)
        #expect(parts.map(\.keepsOrder) == [true, false], "what lies in a folder is agreed on after that")
    }
}

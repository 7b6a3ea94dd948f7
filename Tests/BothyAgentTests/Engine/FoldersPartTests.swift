#if os(Linux)
    import BothyAgent
    import BothyClient
    import BothyContract
    import BothySync
    import Testing

    /// Which folders the agent keeps in step, and when it lets go of them.
    @Suite(.timeLimit(.minutes(10))) struct FoldersPartTests {
        private func isOffline(_ lines: [AgentStatusLine]) -> Bool { lines.allSatisfy { $0.reason == "offline" } }

        @Test func whereNothingIsBoundNothingIsTold() async throws {
            let bound = try await BoundHome()
            try await bound.part.start()
            #expect(await bound.part.status().isEmpty)
            try await bound.close()
        }

        @Test func eachFolderHasItsLineInTheOrderOfTheirPlaces() async throws {
            let bound = try await BoundHome()
            let second = try await bound.bind("b")
            try await bound.part.start()
            let first = try await bound.bind("a")
            try await bound.part.look()
            #expect(await bound.part.status().map(\.subject) == [first.localPath, second.localPath])
            try await bound.waits(until: isOffline)
            #expect(await bound.part.status().map(\.state) == [.waiting, .waiting])
            try await bound.close()
        }

        /// The screen said so until something changed in the folder.
        @Test func aFolderIsNotCalledInStepWithAServerThatIsAway() async throws {
            let bound = try await BoundHome()
            try await bound.bind("a")
            let offline = ClientFailure(.offline, "The server cannot be reached.")
            let since = Timestamp(seconds: 500)
            func told(_ state: WatchedFolder.State, _ failure: ClientFailure?) async throws -> FolderInStep {
                let folders = BoundFolders(
                    home: bound.home,
                    keeping: FolderKeeping(
                        watched: { _ in WatchedFolder(state: state) }, lend: { _ in }, takeBack: { _, _ in }),
                    clock: bound.clock, way: { HomeStanding.Way(failure: failure, since: since) })
                return try #require(try await folders.all().first)
            }
            let away = try await told(.inStep, offline)
            #expect(away.state == .waiting(offline) && away.inStepAt == since)
            let there = try await told(.inStep, nil)
            #expect(there.state == .inStep && there.inStepAt == nil)
            #expect(try await told(.partly(failed: 1), offline).state == .partly(failed: 1))
            try await bound.close()
        }

        @Test func aFolderIsKeptUntilItIsUntied() async throws {
            let bound = try await BoundHome()
            let binding = try await bound.bind("a")
            try await bound.part.start()
            try await bound.waits(until: isOffline)
            #expect(bound.isKept(binding))
            try await bound.bindings.store.untie(binding, at: Timestamp(seconds: 9))
            try await bound.part.look()
            #expect(await bound.part.status().isEmpty)
            #expect(!bound.isKept(binding))
            try await bound.close()
        }

        @Test func whatACommandLooksAfterIsLetGoUntilAllHaveGivenItBack() async throws {
            let bound = try await BoundHome()
            let binding = try await bound.bind("a")
            try await bound.part.start()
            try await bound.waits(until: isOffline)
            await bound.part.lend(binding.id)
            await bound.part.lend(binding.id)
            #expect(!bound.isKept(binding))
            #expect(await bound.part.watched(binding.id)?.state == .working)
            await bound.part.takeBack(binding.id)
            try await bound.part.look()
            #expect(await bound.part.status().isEmpty && !bound.isKept(binding))
            await bound.part.takeBack(binding.id)
            try await bound.waits { $0.count == 1 && isOffline($0) }
            #expect(bound.isKept(binding))
            try await bound.close()
        }

        /// Else who decides about one would be told that there is none, until the folder has been looked at again.
        @Test func conflictsThatABorrowerSawStandUntilTheNextLook() async throws {
            let bound = try await BoundHome()
            let binding = try await bound.bind("a")
            try await bound.part.start()
            try await bound.waits(until: isOffline)
            let seen = WatchedFolder.Conflict(
                place: "a.txt", mine: LocalFingerprint(LocalFacts(kind: .file)),
                theirs: RemoteFingerprint(RemoteFacts(id: "1", kind: .file)))
            let keeping = bound.part.keeping
            await keeping.lend(binding.id)
            await keeping.takeBack(binding.id, [seen])
            #expect(await keeping.watched(binding.id)?.conflicts == [seen])
            await keeping.lend(binding.id)
            #expect(await keeping.watched(binding.id)?.conflicts == [seen])
            await keeping.takeBack(binding.id, [])
            #expect(await keeping.watched(binding.id)?.conflicts == [])
            try await bound.close()
        }

        /// Else a watch would go on by the rules of before.
        @Test func aFolderThatIsBoundAnotherWayIsWatchedAnew() async throws {
            let bound = try await BoundHome()
            try await bound.bind("a")
            try await bound.part.start()
            try await bound.waits(until: isOffline)
            await bound.clock.someoneSleeps()
            let before = bound.clock.sleeps
            try await bound.part.look()
            #expect(bound.clock.sleeps == before, "nothing has changed")
            try await bound.bind("a", exclude: ["*.o"])
            try await bound.part.look()
            try await bound.waits { _ in bound.clock.sleeps > before }
            try await bound.close()
        }

        @Test func whatNeedsAPersonRestsUntilTheNextLook() async throws {
            let bound = try await BoundHome(isSignedIn: false)
            let binding = try await bound.bind("a")
            try await bound.part.start()
            await bound.clock.someoneSleeps()
            let line = await bound.part.status()[0]
            #expect(line.state == .held && line.reason == "sign_in_needed")
            #expect(!bound.isKept(binding), "what cannot be kept is free for a command")
            try bound.signIn()
            try await bound.part.look()
            try await bound.waits(until: isOffline)
            try await bound.close()
        }

        /// Nobody has told the agent; the patrol goes by what is bound by then, and not by what was.
        @Test func whatRestsBeginsAnewAsItIsBoundByThen() async throws {
            let bound = try await BoundHome(isSignedIn: false)
            let gone = try await bound.bind("gone")
            try await bound.part.start()
            await bound.clock.someoneSleeps()
            let stays = try await bound.bind("stays")
            try await bound.bindings.store.untie(gone, at: Timestamp(seconds: 9))
            bound.clock.advance(seconds: 601)
            try await bound.waits { $0.map(\.subject) == [stays.localPath] }
            try await bound.close()
        }

        @Test func aStopLetsGoOfAll() async throws {
            let bound = try await BoundHome()
            let folders = [try await bound.bind("a"), try await bound.bind("b")]
            try await bound.part.start()
            try await bound.waits(until: isOffline)
            await bound.part.stop()
            #expect(!folders.contains(where: bound.isKept))
            try await bound.close()
        }
    }
#endif

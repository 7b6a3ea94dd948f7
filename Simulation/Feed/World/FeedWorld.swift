import BothyClient
import BothyContract

/// Runs a schedule of a feed: one loop that owns the server, the network, the clocks and the kills, and awaits one thing at a time.
///
/// Unchecked because that one loop is all that touches it.
package final class FeedWorld: @unchecked Sendable {
    let server: SimulatedFeedServer
    let devices: [FeedDevice]
    /// What happened, a line each.
    package private(set) var trace = [String]()

    /// Seconds between one event and the next.
    private static let secondsBetween: Int64 = 3
    /// Rounds of sending that a quiet world may take until nobody has anything to send.
    private static let roundsToRest = 12
    /// Seconds from one of them to the next: longer than a device waits at most before it tries again.
    private static let secondsOfRest = 400
    /// Posts that each device opens in the end.
    private static let opensInTheEnd = 3
    /// 2026-11-20.
    private static let beginning = Timestamp(seconds: 1_795_132_800)

    /// - Throws: where no database can be made in memory.
    package init(shape: FeedWorldShape, mistakes: Set<FeedMistake> = []) throws {
        let model = FeedServerModel(people: 1...Int64(shape.people), mistakes: mistakes)
        let server = SimulatedFeedServer(model, now: Self.beginning)
        self.server = server
        for follow in shape.follows {
            // A person who is not there is not followed.
            _ = try? server.perform(.follow(person: follow.author, true), requestId: nil, by: follow.follower)
        }
        // Made once: of hundreds of devices each begins with a copy.
        let (empty, settings) = (try ReplicaDatabase.inMemory(), try ClientDatabase.inMemory())
        let elsewhere = NoDisk()
        let drive = SimulatedDrive(
            server: SimulatedServer(), device: "feed", files: elsewhere, meanwhile: elsewhere)
        var numbers = [Int64: Int]()
        devices = try shape.devices.enumerated().map { index, person in
            let number = numbers[person, default: 0]
            numbers[person] = number + 1
            return FeedDevice(
                index: index, person: person, number: number, server: server, replica: try empty.copyInMemory(),
                settings: settings, drive: drive)
        }
    }

    /// Runs the schedule, then lets the world come to rest.
    ///
    /// - Returns: what is wrong; nil when nothing is.
    package func run(_ events: [FeedEvent]) async -> Finding? {
        guard !devices.isEmpty else { return nil }
        for event in events {
            if Task.isCancelled { return nil }
            server.pass(seconds: Self.secondsBetween)
            if let finding = await happens(event) { return finding }
        }
        if let finding = await rest() { return finding }
        return await FeedChecks(server: server, devices: devices).check()
    }

    private func device(_ index: Int) -> FeedDevice { devices[index % devices.count] }

    private func tell(_ device: FeedDevice, _ words: String) { trace.append("\(device.name): \(words)") }

    // MARK: - Events

    private func happens(_ event: FeedEvent) async -> Finding? {
        switch event {
        case .does(let index, let intent): return await does(intent, at: device(index))
        case .exchange(let index, let conditions): return await exchange(device(index), conditions)
        case .kill(let index):
            tell(device(index), "is killed")
            device(index).crash()
            return await look(at: device(index))
        case .signal(let index, let isThere):
            tell(device(index), isThere ? "has a connection" : "has no connection")
            device(index).hasSignal = isThere
        case .clockJump(let index, let seconds):
            tell(device(index), "the clock jumps by \(seconds) s")
            device(index).clock.jump(seconds: seconds)
        case .serversClockJump(let seconds):
            trace.append("the server's clock jumps by \(seconds) s")
            server.pass(seconds: seconds)
        case .arrivals(let dice):
            var dice = SeededRandom(dice)
            let count = server.deliverWhatWaits(&dice)
            if count > 0 { trace.append("\(count) late requests arrive") }
        case .edit(let pick, let text): edit(pick, text)
        case .decide(let index, let text): return await decide(text, at: device(index))
        }
        return nil
    }

    private func does(_ intent: FeedIntent, at device: FeedDevice) async -> Finding? {
        do {
            guard let (words, post) = try await FeedPerson(device: device).does(intent) else { return nil }
            tell(device, words)
            return await look(at: device, post)
        } catch {
            return failed(device, error)
        }
    }

    private func decide(_ text: Int?, at device: FeedDevice) async -> Finding? {
        do {
            guard let words = try await FeedPerson(device: device).decides(text) else { return nil }
            tell(device, words)
            return await look(at: device)
        } catch {
            return failed(device, error)
        }
    }

    private func edit(_ pick: Int, _ text: Int) {
        let there = server.model.posts.values.filter { !$0.isDeleted }.sorted { $0.id < $1.id }
        guard let post = Names.pick(pick, of: there) else { return }
        let content = FeedPerson.text(text)
        trace.append("in a browser, person \(post.author) edits post \(post.id): «\(content)»")
        // Whether it is refused where it should not be, the ledger's judge says.
        _ = try? server.perform(.edit(post: post.id, content: content), requestId: nil, by: post.author)
    }

    private func exchange(_ device: FeedDevice, _ conditions: FeedConditions) async -> Finding? {
        tell(device, "exchanges\(conditions.words)")
        device.begin(conditions)
        var opened: Int64?
        do {
            try await device.send()
            if !device.hasCrashed {
                try await device.readFeed(pages: conditions.pages)
                if conditions.asksForPeople { try await device.readPeople() }
                let shown = try await device.store.feed(before: nil, limit: FeedViewLaw.looksAt).posts
                opened = conditions.opens.flatMap { Names.pick($0, of: shown) }?.postId
                if let opened { try await device.open(opened) }
            }
        } catch let failure as ClientFailure where failure.isNetworks || device.hasCrashed {
            trace.append("    \(failure.words)")
        } catch {
            return failed(device, error)
        }
        return await look(at: device, opened)
    }

    private func failed(_ device: FeedDevice, _ error: any Error) -> Finding {
        Finding(.engineFailed, "\(device.name): \(error)")
    }

    /// The view as somebody sees it who looks at this moment.
    private func look(at device: FeedDevice, _ post: Int64? = nil) async -> Finding? {
        do {
            return try await FeedViewLaw.broken(on: device, at: post).map {
                Finding(.viewLaw, "On \(device.name), \($0).")
            }
        } catch {
            return failed(device, error)
        }
    }

    // MARK: - Rest

    /// The network is good, nobody does anything any more, and what waits for a person is given up. Then all ask for everything.
    private func rest() async -> Finding? {
        trace.append("the world becomes quiet")
        var dice = SeededRandom(0)
        _ = server.deliverWhatWaits(&dice)
        for device in devices { device.hasSignal = true }
        for _ in 0..<Self.roundsToRest {
            var isAtRest = true
            for device in devices {
                do {
                    if try await !drain(device) { isAtRest = false }
                } catch {
                    return failed(device, error)
                }
            }
            if isAtRest { return await readAll() }
        }
        return Finding(.noRest, "Somebody still has something to send after \(Self.roundsToRest) rounds.")
    }

    /// - Returns: whether nothing waits any more.
    private func drain(_ device: FeedDevice) async throws -> Bool {
        device.begin(FeedConditions(seconds: Self.secondsOfRest))
        try await device.send()
        while try await FeedPerson(device: device).decides(nil) != nil {}
        return try await device.store.countOfOpen() == 0
    }

    private func readAll() async -> Finding? {
        for device in devices {
            device.begin(FeedConditions())
            do {
                try await device.readFeed(pages: nil)
                try await device.readPeople()
                for post in device.known.order.prefix(Self.opensInTheEnd).compactMap({ device.known.entries[$0] }) {
                    try await device.open(post)
                    if let finding = await look(at: device, post) { return finding }
                }
            } catch {
                return failed(device, error)
            }
            if let finding = await look(at: device) { return finding }
        }
        return nil
    }
}

/// Of files a feed's world has nothing, and around its drive nothing happens.
private final class NoDisk: SimulatedFiles, Meanwhile {
    func source(_ path: String) throws(ClientFailure) -> UploadSource {
        throw ClientFailure(.fileMissing, "“\(path)” is not there.")
    }

    func arrive(_ bytes: [UInt8], at path: String, replacing: Bool) throws(ClientFailure) {
        throw ClientFailure(.diskFailed, "There is no disk for “\(path)”.")
    }

    func beforeRequest() async throws {}
    func afterRequest() async throws {}
}

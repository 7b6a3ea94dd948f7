import BothyClient
import BothyContract

/// Runs a schedule: one loop that owns disks, network, clocks and crashes, and awaits one thing at a time.
///
/// Unchecked because that one loop is all that touches it.
package final class World: @unchecked Sendable {
    package let shape: WorldShape
    package let server = SimulatedServer()
    package let devices: [SimulatedDevice]
    package internal(set) var ledger = Ledger()
    /// What happened, a line each.
    package internal(set) var trace: [String] = []
    private let maker: any EngineMaker
    private var engines: [Int: any DeviceEngine] = [:]
    let replicas: [SimulatedReplica]
    /// What was done at replicas so far.
    var intents = 0
    /// The server was put back, or does not tell what changed since long.
    private(set) var serverForgot = false
    /// The server was put back to a backup.
    private(set) var serverWentBack = false
    /// The first breach of the law of the view.
    var breach: Finding?
    private var backup: ServerModel?

    /// Rounds of passes that a quiet world may take until nobody has anything to do.
    package static let roundsToRest = 12
    /// Seconds between one event and the next.
    private static let secondsBetween: Int64 = 3

    package init(shape: WorldShape, maker: any EngineMaker) {
        self.shape = shape
        self.maker = maker
        devices = shape.devices.enumerated().map { [server] index, device in
            SimulatedDevice(index: index, shape: device, server: server, now: server.model.now)
        }
        replicas = shape.work.hasReplicas ? devices.map(SimulatedReplica.init) : []
        for device in devices {
            ledger.linksAnew(device.index, knowingItsFiles: false)
            // What its pass has made by then is judged by what it held before anybody laid hands on it.
            device.interrupt = { [unowned self, unowned device] event in
                server.noteCopies(on: device.disk)
                happen(event, indent: Self.meanwhile)
            }
            device.interruptAtRequest = { [unowned self, unowned device] event in
                server.noteCopies(on: device.disk)
                await interrupt(event)
            }
        }
        for replica in replicas {
            replica.changed = { [unowned self, unowned replica] words in
                trace.append("    \(words)")
                await look(at: replica)
            }
        }
    }

    deinit {
        for device in devices { device.dismantle() }
    }

    /// Runs the schedule, then lets the world come to rest.
    ///
    /// - Returns: what is wrong; nil when nothing is.
    package func run(_ events: [Event]) async -> Finding? {
        for event in events {
            tick()
            if let finding = await run(event) { return finding }
        }
        if let finding = await rest() { return finding }
        return await Checkers(world: self).check()
    }

    private func run(_ event: Event) async -> Finding? {
        switch event {
        case .pass(let device, let conditions): return await pass(device, conditions, confirming: false).finding
        case .exchange(let device, let conditions) where !replicas.isEmpty:
            return await exchange(device, conditions).finding
        case .intent(let device, let intent) where !replicas.isEmpty: await intends(device, intent)
        case .folder(let device, .givenUp): return await giveUp(device)
        case .decide(let device, let thing, let choice): return await decides(device, thing, choice)
        default: happen(event, indent: "")
        }
        return breach
    }

    private func tick() {
        server.model.live(seconds: Self.secondsBetween)
        server.model.now = server.model.now.adding(seconds: Self.secondsBetween)
        for device in devices {
            device.clock.pass(seconds: Double(Self.secondsBetween))
            device.disk.model.setClock(device.clock.now())
        }
    }

    // MARK: Events

    private static let meanwhile = "    meanwhile "

    private func interrupt(_ event: Event) async {
        if case .intent(let device, let intent) = event {
            await intends(device, intent, indent: Self.meanwhile)
        } else {
            happen(event, indent: Self.meanwhile)
        }
    }

    /// Everything but what replicas and engines do.
    private func happen(_ event: Event, indent: String) {
        guard let words = act(event) else { return }
        trace.append(indent + words)
    }

    private func act(_ event: Event) -> String? {
        switch event {
        case .person(let index, let deed):
            guard let device = device(index) else { return nil }
            return Person(disk: device.disk, actor: .folder(device.index)).does(deed, &ledger).map {
                "\(device.name): a person \($0)"
            }
        case .program(let index, let deed):
            guard let device = device(index) else { return nil }
            return Program(disk: device.disk, actor: .folder(device.index)).does(deed, &ledger).map {
                "\(device.name): a program \($0)"
            }
        case .web(let deed):
            return WebPerson(server: server).does(deed, &ledger).map { "browser: a person \($0)" }
        case .powerCut(let index, let dice):
            guard let device = device(index) else { return nil }
            powerCut(device, dice)
            return "\(device.name): the power goes"
        case .settle(let index):
            device(index)?.disk.model.settle()
            return nil
        case .clockJump(let index, let seconds):
            guard let device = device(index) else { return nil }
            device.clock.jump(seconds: seconds)
            return "\(device.name): the clock jumps by \(seconds) s"
        case .arrivals:
            server.deliverWhatWaits()
            return nil
        case .days(let days):
            server.model.live(seconds: Int64(days) * 86_400)
            for device in devices { device.clock.pass(seconds: Double(days) * 86_400) }
            return "\(days) days go by"
        case .forgetLog:
            server.model.forgetLog()
            expireCursors()
            return "the server forgets its log"
        case .backup:
            backup = server.model
            ledger.backedUp()
            return "the server is backed up"
        case .restore:
            guard let backup else { return nil }
            server.model.restore(from: backup)
            serverWentBack = true
            let there = devices.reduce(into: Set()) { $0.formUnion($1.disk.contentsInPlace) }
            let overwritten = devices.reduce(into: Set()) { $0.formUnion(server.overwritten(by: $1.name)) }
            ledger.restored(
                backup.reachableContent, there, overwritten: overwritten,
                devices: shape.work.hasFolders ? devices.count : 0, replicas: replicas.count)
            expireCursors()
            return "the server is put back to its backup"
        case .folder(let index, let fate):
            return device(index).flatMap { becomes($0, fate) }
        case .diskRoom(let index, let bytes):
            return device(index).map { fill($0, but: bytes) }
        case .quotaRoom(let bytes):
            server.model.quotaLimit = bytes.map { server.model.usedBytes + Int64($0) }
            return bytes.map { "the quota is used up but for \($0) bytes" } ?? "there is room in the quota again"
        case .pass, .exchange, .intent, .decide:
            return nil
        }
    }

    private func expireCursors() {
        serverForgot = true
        for device in devices { ledger.linksAnew(device.index, knowingItsFiles: true) }
    }

    func device(_ index: Int) -> SimulatedDevice? { devices.isEmpty ? nil : devices[index % devices.count] }

    private func powerCut(_ device: SimulatedDevice, _ dice: UInt64) {
        var random = SeededRandom(dice)
        let before = (all: device.disk.contents, files: device.disk.personsFiles)
        device.disk.model.crash(&random)
        device.disk.heldOpen = []
        for hash in before.all.symmetricDifference(device.disk.contents) {
            ledger.shaken(hash, on: device.index)
        }
        let files = device.disk.personsFiles
        device.lostWhileAway += Set(before.files.keys).subtracting(files.keys).count
        for path in Set(before.files.keys).union(files.keys).sorted() {
            ledger.leftByPowerCut(
                files[path], over: before.files[path], at: "/\(path.text)", on: device.index,
                isMomentary: Person.momentaryNames.contains(path.name.text))
        }
        engines[device.index] = nil
        if !replicas.isEmpty { replicas[device.index].losePower() }
    }

    // MARK: Passes

    func begin(_ conditions: PassConditions, on device: SimulatedDevice) {
        device.begin(conditions)
        server.passBegan = server.model.now
        if device.shape.conflicts == .lastWriteWins { server.seen[device.name] = device.disk.personsFiles }
    }

    /// What a device did ended, and `error` says why it ended early.
    func end(of device: SimulatedDevice, by error: (any Error)?) -> Finding? {
        server.noteCopies(on: device.disk)
        if device.hasCrashed {
            engines[device.index] = nil
            trace.append("\(device.name): crashes")
        } else if let error {
            guard error.isExpected else { return Finding(.engineFailed, "\(device.name): \(error)") }
            trace.append("\(device.name): \(error)")
        }
        return nil
    }

    func pass(
        _ index: Int, _ conditions: PassConditions, confirming: Bool
    ) async -> (isAtRest: Bool, finding: Finding?) {
        let device = devices[index % devices.count]
        let watch = AwayWatch(device, server)
        trace.append("\(device.name): a pass\(conditions.words)")
        begin(conditions, on: device)
        ledger.passBegins(device.index)
        var (isAtRest, failure): (Bool, (any Error)?) = (false, nil)
        do {
            let engine = try await engine(of: device)
            let end = try await engine.pass(confirming: confirming) { [unowned self] in trace.append("    \($0)") }
            isAtRest = end.isAtRest
            device.disk.wasSeenEmpty = device.disk.looksEmptied
            if end.left == 0, end.isLinked {
                ledger.passed(
                    .folder(device.index), keeping: end.kept, server.model.reachableContent,
                    places: server.model.livePaths.values.reduce(into: [:]) { counts, hash in
                        if let hash { counts[hash, default: 0] += 1 }
                    })
                device.agreedWhileAway = device.disk.isAway
            }
            if end.left > 0 { trace.append("\(device.name): \(end.left) left to do") }
        } catch {
            failure = error
        }
        return (isAtRest, end(of: device, by: failure) ?? watch.finding() ?? takenUnderAProgram(on: device))
    }

    /// A crash between the taking and the look at what was taken leaves it there.
    private func takenUnderAProgram(on device: SimulatedDevice) -> Finding? {
        let taken = device.disk.takenUnderPrograms
        guard device.hasCrashed else {
            return taken.first.map {
                Finding(.takenUnderAProgram, "\(device.name): \(Person.words($0)) is open in a program.")
            }
        }
        taken.forEach(device.disk.close)
        return nil
    }

    func engine(of device: SimulatedDevice) async throws -> any DeviceEngine {
        if let engine = engines[device.index] { return engine }
        let engine = try await maker.engine(for: device)
        engines[device.index] = engine
        return engine
    }

    /// The network is good, nobody does anything, and everyone passes until all are at rest.
    private func rest() async -> Finding? {
        trace.append("quiet")
        server.deliverWhatWaits()
        endBadDays()
        for device in devices {
            device.disk.model.settle()
            device.disk.heldOpen = []
        }
        for _ in 0..<Self.roundsToRest {
            var isAtRest = true
            for device in devices {
                tick()
                if shape.work.hasFolders {
                    let pass = await pass(device.index, PassConditions(), confirming: true)
                    if let finding = pass.finding { return finding }
                    isAtRest = isAtRest && pass.isAtRest
                }
                if shape.work.hasReplicas {
                    let exchange = await quietExchange(replicas[device.index])
                    if let finding = exchange.finding { return finding }
                    isAtRest = isAtRest && exchange.isAtRest
                }
            }
            if isAtRest { return nil }
        }
        return Finding(.noRest, "Not at rest after \(Self.roundsToRest) quiet rounds.")
    }

    /// Where that cannot be asked nothing is kept apart, and the checks ask for everything.
    package func keptApart(_ device: SimulatedDevice) async -> [KeptApart] {
        (try? await engine(of: device).keptApart()) ?? []
    }
}

extension PassConditions {
    var words: String {
        var parts = [String]()
        switch faults {
        case .none: break
        case .offline: parts.append("offline")
        default: parts.append("bad network")
        }
        if let crashAt { parts.append("crash at call \(crashAt)") }
        return parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
    }
}

extension Error {
    /// A pass may end because the network or the disk said no; it goes on the next time.
    fileprivate var isExpected: Bool {
        guard let failure = self as? ClientFailure else { return false }
        return failure.code != .homeUnusable && failure.code != .answerInvalid
    }
}

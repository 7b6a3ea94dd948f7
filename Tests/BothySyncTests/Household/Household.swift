import BothyClient
import BothyContract
import BothySync
import Foundation
import RealServing
import Synchronization

/// Three real devices and the real server in one process, on real disks, under the faults of a seed. The same seed draws the same
/// faults and acts; what the machine does meanwhile is its own.
struct Household {
    private let story: Story
    private let server: RealServer
    private let relay: FaultyRelay
    private let disk: TemporaryFolder
    private let ledger = Ledger()
    private let bustle: Bustle
    private let housekeeping: Housekeeping
    /// What spares bytes, as far as it was used.
    let uses = Uses()
    private var chance: SeededGenerator
    private var devices = [HouseholdDevice]()

    /// Each makes at least one pass over everything.
    private static let mostRounds = 20

    init(seed: UInt64, story: Story) async throws {
        chance = SeededGenerator(seed: seed)
        let bustle = Bustle(seed: chance.next(), story: story)
        self.story = story
        self.bustle = bustle
        disk = try TemporaryFolder()
        server = try await RealServer(packBytes: Housekeeping.packBytes)
        housekeeping = Housekeeping(server.services, uses)
        relay = try await FaultyRelay(to: server.origin, seed: chance.next(), uses: uses) { bustle.meanwhile() }
        for name in ["anna", "ben", "cleo"] {
            try disk.makeFolder("\(name)'s desk")
            try disk.makeFolder(name)
            let person = Person(
                name: name, folder: disk.file(name), desk: disk.file("\(name)'s desk"), ledger: ledger)
            if devices.isEmpty { try person.moveIn(&chance) }
            let home = try await server.device(
                name, register: devices.isEmpty, at: relay.origin, environment: HouseholdDevice.environment)
            devices.append(try await HouseholdDevice.tied(person, to: RemotePath("/shared"), home))
        }
    }

    func end() async throws {
        for device in devices { try await device.home.close() }
        try await relay.stop()
        await server.stop()
    }

    // MARK: - Living

    /// People work, devices make passes and are interrupted, the server keeps house, and the network is what it is.
    mutating func live(steps: Int) async throws {
        relay.begin()
        bustle.begin()
        for _ in 0..<steps {
            switch Int.random(in: 0..<22, using: &chance) {
            case 0..<12: try work()
            case 12..<19: try await keepInStep()
            case 19..<21: try await keepHouse(SeededGenerator(seed: chance.next()))
            default: try await reopen()
            }
        }
    }

    private mutating func work() throws {
        guard let person = devices.randomElement(using: &chance)?.person else { return }
        for _ in 0..<Int.random(in: 1...4, using: &chance) {
            // Its own chance: how many numbers an act takes depends on what is there.
            var own = SeededGenerator(seed: chance.next())
            if let words = try person.act(isAlone: true, &own) { story.tell("\(person.name) \(words)") }
        }
    }

    private func keepHouse(_ own: SeededGenerator) async throws {
        var own = own
        story.tell("the server \(try await housekeeping.step(&own))")
    }

    /// One to three devices, at the same time, and the server beside them.
    private mutating func keepInStep() async throws {
        let these = devices.shuffled(using: &chance).prefix(Int.random(in: 1...3, using: &chance))
        var passes = [(device: HouseholdDevice, upTo: Int?)]()
        for device in these {
            let isGivenUp = Int.random(in: 0..<3, using: &chance) == 0
            passes.append((device, isGivenUp ? Int.random(in: 1...6, using: &chance) : nil))
        }
        let upkeep = Bool.random(using: &chance) ? SeededGenerator(seed: chance.next()) : nil
        let (household, story) = (self, story)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (device, most) in passes {
                group.addTask {
                    do {
                        _ = try await household.pass(of: device, upTo: most)
                    } catch let failure as ClientFailure {
                        story.tell("\(device.person.name)'s pass ends: \(failure.code): \(failure.words)")
                    } catch is CancellationError {
                        story.tell("\(device.person.name)'s pass is over")
                    }
                }
            }
            if let upkeep { group.addTask { try await household.keepHouse(upkeep) } }
            try await group.waitForAll()
        }
    }

    private mutating func reopen() async throws {
        let index = Int.random(in: devices.indices, using: &chance)
        story.tell("\(devices[index].person.name)'s home is closed, and opened anew")
        try await devices[index].reopen()
    }

    /// - Parameter most: decisions after which it is given up.
    private func pass(of device: HouseholdDevice, upTo most: Int? = nil) async throws -> PassReport {
        let name = device.person.name
        let decided = Mutex(0)
        story.tell("\(name)'s device makes a pass" + (most.map { ", given up after \($0) decisions" } ?? ""))
        let pass = Task { [story, bustle] in
            try await device.engine.pass { decision in
                story.tell("  \(name): \(Self.words(decision))")
                bustle.meanwhile()
                let isLast = decided.withLock { count in
                    count += 1
                    return count == most
                }
                if isLast { withUnsafeCurrentTask { $0?.cancel() } }
            }
        }
        bustle.began(pass, beside: device.person)
        defer { bustle.ended(beside: device.person) }
        let report = try await pass.value
        // As a command that makes one pass, and ends.
        await device.engine.bringCacheUp()
        story.tell("  \(name): done, \(report.plan.sighting.map { "but held: \($0)" } ?? "nothing held")")
        return report
    }

    private static func words(_ decision: Decision) -> String {
        let (step, reason) = (decision.action.step, decision.action.reason)
        let places = step.places.map { "“\($0.text)”" }.joined(separator: " and ")
        let failure = decision.trace.failure.map { ", but \($0)" } ?? ""
        let kind = String(describing: step).prefix { $0 != "(" }
        return "\(kind) \(places), \(reason)\(failure)"
    }

    // MARK: - Rest

    /// Nothing fails any more, nobody does anything, and passes go on until none does anything. Then nothing may be left that
    /// waits for something else, or for a person.
    func rest() async throws {
        bustle.end()
        relay.quiet()
        story.tell("quiet")
        for _ in 0..<Self.mostRounds {
            var reports = [PassReport]()
            for device in devices { if let report = try await lastPass(of: device) { reports.append(report) } }
            guard reports.count == devices.count, reports.allSatisfy({ $0.taken.isEmpty && $0.failed.isEmpty }) else {
                continue
            }
            let waiting = reports.flatMap { $0.plan.standing.map { "“\($0.text)” waits: \($1)" } }
            if !waiting.isEmpty { throw Finding(description: waiting.sorted().joined(separator: "\n")) }
            return
        }
        throw Finding(description: "It did not come to rest in \(Self.mostRounds) rounds.")
    }

    /// At rest, one person after another edits something large, or brings it again: each edit goes as what changed, one way and then the other.
    mutating func edit() async throws {
        for device in devices {
            var own = SeededGenerator(seed: chance.next())
            if let words = try device.person.editLarge(&own) {
                story.tell("\(device.person.name) \(words)")
            } else {
                try device.person.moveIn(&own)
            }
            try await rest()
        }
    }

    /// - Returns: nil where it met a connection that had been cut before all was quiet.
    private func lastPass(of device: HouseholdDevice) async throws -> PassReport? {
        do {
            try await device.confirm()
            return try await pass(of: device)
        } catch let failure as ClientFailure where failure.code == .offline {
            story.tell("\(device.person.name)'s pass ends: \(failure.words)")
            return nil
        }
    }

    /// What must hold at rest.
    func judge() async throws {
        guard let first = devices.first else { return }
        let there = try await FolderTree(on: first.home, below: first.binding.remoteId)
        var findings = try await housekeeping.inspect()
        for device in devices {
            let (name, here) = (device.person.name, try FolderTree(on: device.person.folder))
            findings += here.differences(from: there).map { "\(name) and the server differ in \($0)" }
            findings += ledger.lost(in: here).map { "lost at \(name)'s: who \($0)" }
            findings += ledger.foreign(in: here).map { "\(name)'s \($0) holds what nobody wrote" }
            findings += try Self.unfinished(in: device.person.folder).map { "unfinished at \(name)'s: \($0)" }
        }
        if !findings.isEmpty { throw Finding(description: findings.joined(separator: "\n")) }
    }

    /// What arrives, and names that things have only for a moment.
    private static func unfinished(in folder: String) throws -> [String] {
        let arriving = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(PrivateNames.folder)/staging")
        return arriving + FolderTree.paths(in: folder).map(\.path).filter { $0.contains(".bothy-") }
    }
}

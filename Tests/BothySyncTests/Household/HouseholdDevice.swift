import BothyClient
import BothyContract
import BothySync

/// One person's device, with its home and a folder that it keeps in step.
struct HouseholdDevice: Sendable {
    let person: Person
    let home: DeviceHome
    let binding: Binding
    let engine: BindingEngine
    /// Held for as long as its process is there.
    private var lock: FileLock?

    /// Retries wait for nothing.
    static var environment: ClientEnvironment {
        var environment = ClientEnvironment.live
        environment.chance = { 0 }
        return environment
    }

    /// Ties a person's folder to one on the server, and makes the first pass: what others delete before that is through waits for
    /// a person.
    static func tied(_ person: Person, to path: RemotePath, _ home: DeviceHome) async throws -> HouseholdDevice {
        let order = FolderBindings.Order(
            directory: person.folder, remotePath: path, deletions: .mirror, conflicts: .fork, leavingOut: LeftOut(),
            takesOver: false)
        _ = try await FolderBindings(home: home).tie(order)
        let device = try await HouseholdDevice(person, home)
        _ = try await device.engine.pass()
        return device
    }

    private init(_ person: Person, _ home: DeviceHome) async throws {
        let bindings = FolderBindings(home: home)
        guard let binding = try await bindings.binding(of: person.folder) else {
            throw Finding(description: "\(person.name)'s folder is not tied any more")
        }
        // What people delete is not what is looked at here.
        var limits = Guard.Limits()
        (limits.mostInADay, limits.smallTree) = (Int.max / 2, Int.max / 2)
        self.person = person
        self.home = home
        self.binding = binding
        lock = try bindings.takeLock(binding)
        engine = bindings.engine(for: binding, rules: BindingRules(deviceName: person.name, limits: limits))
    }

    /// Its process ends, and begins anew.
    mutating func reopen() async throws {
        lock = nil
        try await home.close()
        let anew = try await DeviceHome.open(at: home.directory, environment: Self.environment)
        self = try await HouseholdDevice(person, anew)
    }

    /// Lets pass what a guard has stopped at: an emptied folder is many deletions, too.
    func confirm() async throws {
        for _ in 0..<3 {
            guard let sighting = try await engine.look().plan.sighting else { return }
            try await engine.accept(sighting)
        }
    }
}

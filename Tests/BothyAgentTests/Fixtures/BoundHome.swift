#if os(Linux)
    import BothyAgent
    import BothyClient
    import BothyContract
    import BothySync
    import Foundation

    /// A home that is signed in to a server which nobody can reach, with folders in step: each watch begins, meets that it
    /// is offline, and keeps its folder until its clock is moved on.
    struct BoundHome: Sendable {
        let place: AgentHome
        let home: DeviceHome
        let clock = SteppedClock()
        let part: FoldersPart
        let bindings: FolderBindings
        private let secrets: SecretStore

        /// - Parameters:
        ///   - isSignedIn: without, a watch ends at once with words for a person.
        ///   - power: what the device runs on; nil for this machine's own.
        init(isSignedIn: Bool = true, power: (any PowerSupply)? = nil) async throws {
            place = try AgentHome()
            var environment = ClientEnvironment.live
            environment.clock = clock
            if let power { environment.power = power }
            let directory = "\(place.path)/home"
            try FileManager.default.createDirectory(
                atPath: "\(directory)/secrets", withIntermediateDirectories: true)
            secrets = SecretStore(folder: "\(directory)/secrets", disk: SystemDisk())
            if isSignedIn { try secrets.save(Self.session(at: clock.now())) }
            home = try await DeviceHome.open(at: directory, environment: environment)
            bindings = FolderBindings(home: home)
            part = FoldersPart(home: home, environment: environment, bell: ServerBell()) { _, _ in ("", "") }
        }

        func signIn() throws { try secrets.save(Self.session(at: clock.now())) }

        /// Port 9 is «discard»: nothing listens there.
        private static func session(at now: Timestamp) throws -> StoredSession {
            StoredSession(
                server: try ServerAddress("http://127.0.0.1:9"),
                user: User(id: 1, email: "anna@example.org", displayName: "Anna"),
                device: Device(
                    id: "device-1", name: "laptop", platform: "linux", createdAt: now, lastSeenAt: now, current: true),
                accessToken: "token", refreshToken: "refresh", obtainedAt: now, expiresIn: 900)
        }

        /// Writes down that a folder is in step.
        @discardableResult
        func bind(_ name: String, exclude: [String] = []) async throws -> Binding {
            let path = "\(place.path)/\(name)"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            let binding = Binding(
                id: "binding-\(name)", localPath: path, remoteId: "f-\(name)", remotePath: "/\(name)", accountId: "a#1",
                mark: "m-\(name)", root: LocalStamp(inode: 1), deletions: .mirror, conflicts: .fork,
                exclude: exclude, createdAt: clock.now())
            try await bindings.store.save(binding)
            return binding
        }

        /// Whether somebody keeps the folder at this moment.
        func isKept(_ binding: Binding) -> Bool { (try? bindings.takeLock(binding)) == nil }

        /// Returns once a look at the status finds what is asked for; a watch works in a task of its own.
        func waits(until holds: ([AgentStatusLine]) -> Bool) async throws {
            while !holds(await part.status()) {
                try Task.checkCancellation()
                await Task.yield()
            }
        }

        func close() async throws {
            await part.stop()
            try await home.close()
        }
    }
#endif

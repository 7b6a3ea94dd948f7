#if os(Linux)
    import BothyClient
    import BothySync

    /// Keeps the bound folders of a home in sync, each by a watch of its own.
    package actor FoldersPart: AgentPart {
        package static let partName = "folders"

        package nonisolated let name = FoldersPart.partName

        private struct Tie {
            var binding: Binding
            var standing: FolderStanding
            var work: Task<Void, Never>
        }

        private struct Loan {
            /// How many have it.
            var count = 0
            /// As it was when it was given away: what waits for a person waits on meanwhile.
            var seen: WatchedFolder?
        }

        private let bindings: FolderBindings
        private let home: DeviceHome
        private let environment: ClientEnvironment
        private let bell: ServerBell
        private let guardWords: GuardWords
        private var ties = [String: Tie]()
        /// The work of those that were let go of and are not at their end yet: until then nobody else has the folder.
        private var leaving = [String: Task<Void, Never>]()
        /// Those that others look after at the moment.
        private var loans = [String: Loan]()
        /// Nothing is watched any more.
        private var isStopped = false

        /// Seconds until a folder that could not be watched is tried again: it may be mounted by then.
        private static let patrol = 600.0
        /// The same of a folder that another process watches: nobody tells when that ends.
        private static let patrolBesideAWatch = 2.0

        /// - Parameter bell: rung when there may be something new on the server.
        package init(
            home: DeviceHome, environment: ClientEnvironment, bell: ServerBell, guardWords: @escaping GuardWords
        ) {
            self.home = home
            self.environment = environment
            self.bell = bell
            self.guardWords = guardWords
            bindings = FolderBindings(home: home)
        }

        package func start() async throws {
            isStopped = false
            try await tieAndUntie()
        }

        package func look() async throws { try await tieAndUntie() }

        package func stop() async {
            isStopped = true
            for id in ties.keys { await letGo(of: id) }
        }

        package func status() -> [AgentStatusLine] {
            ties.values.sorted { $0.binding.localPath < $1.binding.localPath }.map(\.standing.line)
        }

        /// - Returns: nil for a folder that is not kept.
        package func watched(_ binding: String) -> WatchedFolder? {
            ties[binding]?.standing.watched ?? loans[binding]?.seen
        }

        /// How screens of this process reach it.
        package nonisolated var keeping: FolderKeeping {
            FolderKeeping(
                watched: { await self.watched($0) }, lend: { await self.lend($0) },
                takeBack: { await self.takeBack($0, seen: $1) })
        }

        // MARK: - Lending

        package func lend(_ subject: String) async {
            loans[subject, default: Loan()].count += 1
            if let watched = ties[subject]?.standing.watched {
                loans[subject]?.seen = WatchedFolder(state: .working, conflicts: watched.conflicts)
            }
            await letGo(of: subject)
        }

        package func takeBack(_ subject: String) async { await takeBack(subject, seen: []) }

        private func takeBack(_ subject: String, seen: [WatchedFolder.Conflict]) async {
            let left = (loans[subject]?.count ?? 1) - 1
            loans[subject]?.count = left
            if left <= 0 { loans[subject] = nil }
            // What cannot be read now is told of at the next look.
            try? await tieAndUntie([subject: seen])
        }

        // MARK: - Starting and ending watches

        /// Watches what is bound, and no longer what is not, or is bound in another way.
        ///
        /// - Parameter seen: conflicts of what is linked now, by binding, as others have just seen them.
        private func tieAndUntie(_ seen: [String: [WatchedFolder.Conflict]] = [:]) async throws {
            let all = try await bindings.all()
            for (id, tie) in ties where !all.contains(where: { $0.isKept(as: tie.binding) }) || tie.standing.isResting {
                await letGo(of: id)
            }
            for binding in all where !isStopped && isFree(binding.id) {
                let standing = FolderStanding(binding, conflicts: seen[binding.id] ?? [])
                ties[binding.id] = Tie(
                    binding: binding, standing: standing, work: Task { await keep(binding, standing) })
            }
        }

        private func isFree(_ id: String) -> Bool { ties[id] == nil && loans[id] == nil && leaving[id] == nil }

        /// Returns once nothing of it runs here any more, no matter who let go of it first.
        private func letGo(of id: String) async {
            if let tie = ties.removeValue(forKey: id) {
                tie.work.cancel()
                leaving[id] = tie.work
            }
            guard let work = leaving[id] else { return }
            await work.value
            if leaving[id] == work { leaving[id] = nil }
        }

        /// Keeps one folder in sync until it is cancelled, or something stands in the way that time does not heal.
        private func keep(_ binding: Binding, _ standing: FolderStanding) async {
            do {
                try await watch(binding, standing)
            } catch let failure as ClientFailure {
                let watch = bindings.watch(of: binding)
                if let watch { standing.isKept(by: watch) } else { standing.met(failure) }
                await rest(binding.id, standing, watch == nil ? Self.patrol : Self.patrolBesideAWatch)
            } catch {
                // It is let go of by cancelling.
                guard !Task.isCancelled else { return }
                standing.met(ClientFailure(.unexpected, "An unexpected error occurred: \(error)."))
                await rest(binding.id, standing, Self.patrol)
            }
        }

        /// A look begins it anew; the patrol, after so many seconds, is for what nobody tells of.
        private func rest(_ id: String, _ standing: FolderStanding, _ patrol: Double) async {
            standing.rests(true)
            guard (try? await environment.clock.sleep(seconds: patrol)) != nil else { return }
            await beginAnew(id, standing)
        }

        /// Starts a folder's watch again by the binding as it is now: what was known of the old one may be long over.
        private func beginAnew(_ id: String, _ standing: FolderStanding) async {
            guard ties[id]?.standing === standing else { return }
            ties[id] = nil
            // What cannot be read now is told of at the next look.
            try? await tieAndUntie()
        }

        private func watch(_ binding: Binding, _ standing: FolderStanding) async throws {
            let lock = try bindings.takeLock(binding)
            defer { withExtendedLifetime(lock) {} }
            let device = try home.account.signedIn()?.device.name ?? "this device"
            let watch = BindingWatch(
                bindings.engine(for: binding, rules: BindingRules(deviceName: device)),
                watcher: try InotifyWatcher(root: binding.localPath), server: bell.listener(), environment: environment)
            try await watch.run { [guardWords] event in standing.take(event, guardWords) }
        }
    }

    extension Binding {
        /// Whether a watch of `other` does what this one asks for.
        fileprivate func isKept(as other: Binding) -> Bool {
            id == other.id && localPath == other.localPath && deletions == other.deletions
                && conflicts == other.conflicts
                && leavesOut == other.leavesOut && remotePath == other.remotePath
        }
    }
#endif

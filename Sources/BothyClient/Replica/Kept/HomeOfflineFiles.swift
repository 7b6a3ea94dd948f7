import BothyContract

/// What a home keeps at hand, fetched as soon as it can be.
public actor HomeOfflineFiles: OfflineFiles {
    private let replica: ReplicaEngine
    private let settings: DeviceSettings
    private let environment: ClientEnvironment
    private let directory: String
    private var fetching: Task<Void, Never>?
    private var isAskedAgain = false
    private var failure: ClientFailure?

    /// Seconds between two looks.
    private static let interval = 2.0

    /// - Parameter directory: on the disk whose room is told.
    package init(
        replica: ReplicaEngine, settings: DeviceSettings, directory: String, environment: ClientEnvironment
    ) {
        self.replica = replica
        self.settings = settings
        self.directory = directory
        self.environment = environment
    }

    public nonisolated func looks() -> AsyncThrowingStream<OfflineLook, any Error> {
        Watched.stream(every: Self.interval, by: environment.clock) { try await self.look() }
    }

    public func look() async throws -> OfflineLook {
        let items = try await replica.keptItems()
        return OfflineLook(
            items: items, room: try await replica.kept(), limits: try await settings.roomLimits(),
            free: try environment.disk.freeBytes(at: directory),
            isFetching: fetching != nil, failure: items.allSatisfy(\.isWhole) ? nil : failure)
    }

    // MARK: - Acting

    public func keep(_ ids: [ItemID]) async throws {
        for id in ids { try await replica.pin(try await known(id).luid) }
        fetch()
    }

    public func letGo(_ ids: [ItemID]) async throws {
        for id in ids {
            let file = try await known(id)
            if try await replica.unpin(file.luid) { continue }
            guard let above = try await replica.pinnedAbove(file.luid) else { continue }
            let folder = above.luid == .root ? "/" : above.name
            throw ClientFailure(
                .refused, "“\(file.name)” is kept offline as part of the folder “\(folder)”.",
                remedy: "Stop keeping that folder offline, or move “\(file.name)” elsewhere.")
        }
    }

    public func setLimits(_ limits: RoomLimits) async throws {
        try await settings.setRoomLimits(limits)
        try await replica.letGoOfContent(cap: limits.content)
    }

    public func freeRoom() async throws -> Int64 { try await replica.freeRoom() }

    private func known(_ id: ItemID) async throws -> ReplicaFile {
        guard let luid = LUID(id), let file = try await replica.file(luid) else { throw ReplicaEngine.unknown }
        return file
    }

    // MARK: - Fetching

    /// Something may have changed on the server: what is kept and not here yet is fetched.
    package func keepUp() async throws {
        if try await replica.lacksPinned() { fetch() }
    }

    private func fetch() {
        isAskedAgain = true
        guard fetching == nil else { return }
        fetching = Task {
            while isAskedAgain {
                isAskedAgain = false
                await fetchOnce()
            }
            fetching = nil
        }
    }

    private func fetchOnce() async {
        do {
            try await replica.fetchPinned()
            failure = nil
        } catch let failure as ClientFailure {
            self.failure = failure
        } catch {
            // Cancelled: the caller knows.
        }
    }

    /// Returns once nothing is being fetched.
    package func rest() async { await fetching?.value }

    /// Ends what is being fetched; it resumes from there another time.
    package func stop() async {
        isAskedAgain = false
        fetching?.cancel()
        await fetching?.value
    }
}

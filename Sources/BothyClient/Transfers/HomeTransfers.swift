import BothyContract

/// What a home moves, and what waits in its journal, as one list.
public struct HomeTransfers: DeviceTransfers {
    private let transfers: TransfersRepository
    private let replica: ReplicaEngine
    private let conditions: WorkConditions
    private let directory: String
    private let clock: any ClientClock
    private let offline: @Sendable () async -> Bool

    /// Seconds between two looks.
    package static let interval = 1.0
    /// Of those that are over, how many are told.
    static let mostOver = 20

    /// - Parameter offline: whether there is no way to the server, as the listener of the server knows.
    package init(home: DeviceHome, clock: any ClientClock, offline: @escaping @Sendable () async -> Bool) {
        transfers = home.transfers
        replica = home.replica
        conditions = home.conditions
        directory = home.directory
        self.clock = clock
        self.offline = offline
    }

    public func looks(most: Int) -> AsyncThrowingStream<TransfersLook, any Error> {
        Watched.stream(every: Self.interval, by: clock) { try await look(most: most) }
    }

    public func look(most: Int) async throws -> TransfersLook {
        let operations = try await replica.operations().filter { $0.state != .acknowledged }
        let sent = operations.compactMap { $0.content == nil ? nil : $0.requestId }
        let board = try await transfers.board(
            most: most, over: min(most, Self.mostOver), besides: sent, pending: replica.content.pendingFolder)
        let surroundings = Surroundings(isOffline: await offline(), hold: try await hold())
        let moving = Dictionary(board.open.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        var items = [DeviceTransfer]()
        let told = Array(operations.sorted(by: Self.comesFirst).prefix(most))
        // All in one look: each takes the whole journal.
        let places = try await replica.read { view in try told.map { try view.place(of: $0) } }
        for (operation, place) in zip(told, places) {
            items.append(item(operation, at: place, moving[operation.requestId], surroundings))
        }
        let own = Set(sent)
        items += board.open.filter { !own.contains($0.id) }.map { item($0, surroundings) }
        items = Array(items.sorted(by: Self.precedes).prefix(most))
        items += board.over.sorted { ($1.updatedAt, $0.id) < ($0.updatedAt, $1.id) }
            .prefix(min(most, Self.mostOver)).map { item($0, surroundings) }
        let feed = try await replica.openFeedOperations()
        return TransfersLook(
            items: items, open: operations.count + board.openCount,
            asking: operations.count { $0.state == .parked } + board.askingCount, over: board.overCount,
            others: FeedActions(feed.filter { !$0.waitsForAPerson }),
            refused: FeedActions(feed.filter { $0.waitsForAPerson }))
    }

    private static func comesFirst(_ left: JournalOperation, _ right: JournalOperation) -> Bool {
        (left.waitsForAPerson ? 0 : 1, left.id) < (right.waitsForAPerson ? 0 : 1, right.id)
    }

    /// Who asks first, then what moves, then what waits, each in the order in which it was done.
    private static func precedes(_ left: DeviceTransfer, _ right: DeviceTransfer) -> Bool {
        (rank(left), left.since, left.id) < (rank(right), right.since, right.id)
    }

    private static func rank(_ item: DeviceTransfer) -> Int {
        if item.asks { return 0 }
        return switch item.state {
        case .preparing, .moving, .checking: 1
        default: 2
        }
    }

    /// What everything here depends on.
    private struct Surroundings {
        var isOffline: Bool
        var hold: DeviceTransfer.Hold?
    }

    private func hold() async throws -> DeviceTransfer.Hold? {
        try await conditions.hold(on: .byItself).map { DeviceTransfer.Hold(rawValue: $0.rule) ?? .pause }
    }

    // MARK: - One of them

    private func item(_ snapshot: TransferSnapshot, _ surroundings: Surroundings) -> DeviceTransfer {
        DeviceTransfer(
            id: snapshot.id, deed: snapshot.direction == .upload ? .upload : .download, name: snapshot.name,
            localPath: shown(snapshot.localPath), state: Self.state(snapshot.state, surroundings),
            bytesDone: snapshot.bytesDone, bytesOnTheWay: snapshot.bytesOnTheWay ?? 0, bytesTotal: snapshot.bytesTotal,
            failure: snapshot.failure,
            since: snapshot.createdAt,
            updatedAt: snapshot.updatedAt)
    }

    private func item(
        _ operation: JournalOperation, at path: RemotePath?, _ moving: TransferSnapshot?, _ surroundings: Surroundings
    ) -> DeviceTransfer {
        DeviceTransfer(
            id: Self.id(of: operation.id), item: operation.subject.item, deed: Self.deed(operation.action),
            name: path?.name ?? "",
            above: path?.parent.names, state: Self.state(operation, moving?.state, surroundings),
            bytesDone: moving?.bytesDone ?? 0, bytesOnTheWay: moving?.bytesOnTheWay ?? 0,
            bytesTotal: operation.content?.size,
            failure: operation.lastError ?? moving?.failure, nextAttemptAt: operation.nextAttemptAt,
            since: operation.createdAt, updatedAt: max(operation.updatedAt, moving?.updatedAt ?? operation.updatedAt),
            isChange: true)
    }

    /// A place in the home itself says nothing to a person.
    private func shown(_ path: String) -> String? { path.hasPrefix("\(directory)/") ? nil : path }

    private static func state(_ state: TransferState, _ surroundings: Surroundings) -> DeviceTransfer.State {
        switch state {
        // What ran by itself was stopped, and continues by itself.
        case .paused(.stopped): surroundings.hold.map { .held($0) } ?? .paused(.stopped)
        case .queued: .waiting
        case .preparing: .preparing
        case .transferring: .moving
        case .verifying: .checking
        case .paused(let reason): .paused(reason)
        case .failed: .failed
        case .completed: .done
        case .canceled: .canceled
        }
    }

    private static func state(
        _ operation: JournalOperation, _ moving: TransferState?, _ surroundings: Surroundings
    ) -> DeviceTransfer.State {
        switch operation.state {
        case .conflict: .conflict
        case .parked: .failed
        case .queued where operation.lastError?.code == .signInNeeded && !surroundings.isOffline: .paused(.signInNeeded)
        case .queued: surroundings.hold.map { .held($0) } ?? (surroundings.isOffline ? .paused(.offline) : .waiting)
        case .sending:
            if let moving, !moving.isOver, moving != .failed {
                state(moving, surroundings)
            } else {
                surroundings.hold.map { .held($0) } ?? .moving
            }
        case .acknowledged: .done
        }
    }

    private static func deed(_ action: JournalOperation.Action) -> DeviceTransfer.Deed {
        switch action {
        case .createFolder: .createFolder
        case .upload: .upload
        case .newRevision: .newVersion
        case .rename(let name): .rename(to: name)
        case .move: .move
        case .trash: .trash
        case .restore: .restore
        case .star(let on): .star(on)
        case .hide(let on): .hide(on)
        }
    }

    // MARK: - Acting

    private static func id(of operation: Int64) -> DeviceTransfer.ID { "c\(operation)" }

    /// - Returns: nil for what is a transfer's.
    private static func operation(_ id: DeviceTransfer.ID) -> Int64? {
        id.hasPrefix("c") ? Int64(id.dropFirst()) : nil
    }

    public func act(_ remedy: TransferRemedy, on id: DeviceTransfer.ID) async throws {
        if let operation = Self.operation(id) { return try await act(remedy, onChange: operation) }
        switch remedy {
        case .pause: try await transfers.pause(id)
        case .resume: try await transfers.resume(id)
        case .retry: try await transfers.retry(id)
        case .startOver: try await transfers.retryFromScratch(id)
        case .cancel: try await transfers.cancel(id)
        case .decide: throw Self.senseless
        }
    }

    private func act(_ remedy: TransferRemedy, onChange id: Int64) async throws {
        switch remedy {
        case .retry:
            _ = try await replica.retry(id)
            try await replica.wake()
        case .cancel:
            let gone = try await replica.discard(id)
            guard !gone.isEmpty else {
                throw ClientFailure(.transferNotFound, "This is no longer waiting.")
            }
            try await replica.wake()
            for operation in gone where operation.content != nil { try await transfers.giveUp(operation.requestId) }
        case .pause, .resume, .startOver, .decide: throw Self.senseless
        }
    }

    public func unsentCopies(givenUpWith id: DeviceTransfer.ID) async throws -> [UnsentCopy] {
        guard let number = Self.operation(id),
            let operation = try await replica.operations().first(where: { $0.id == number })
        else { return [] }
        var copies = [UnsentCopy]()
        for given in try await [operation] + replica.needing(number) where given.content?.owned == true {
            let isVersion = if case .newRevision = given.action { true } else { false }
            copies.append(UnsentCopy(name: try await replica.place(of: given)?.name ?? "", isVersion: isVersion))
        }
        return copies
    }

    private static let senseless = ClientFailure(.refused, "This is not possible now.")

    public func actOnAll(_ remedy: TransferRemedy) async throws -> Int {
        let items = try await look(most: .max).items.filter { $0.remedies.contains(remedy) }
        for item in items {
            do {
                try await act(remedy, on: item.id)
            } catch let failure as ClientFailure where failure.code == .transferNotFound {
                // It has ended meanwhile.
            }
        }
        return items.count
    }

    public func clear() async throws { try await transfers.forgetOver() }
}

import BothyClient
import BothyContract
import Observation

/// Files on their way up: what a person sees of them, and decides.
@MainActor @Observable
public final class UploadStateHolder {
    /// Files that are sent side by side.
    public nonisolated static let mostAtOnce = 3

    public internal(set) var state = UploadState()

    @ObservationIgnored let uploads: any UploadRepository
    @ObservationIgnored private let words: Words
    @ObservationIgnored private let seconds: @Sendable () -> Double
    @ObservationIgnored private var chosen: [UploadRow.ID: Chosen] = [:]
    @ObservationIgnored private var tasks: [UploadRow.ID: Task<Void, Never>] = [:]
    @ObservationIgnored private var nextID = 0
    /// What was said for all, until nothing is under way any more.
    @ObservationIgnored private var answerForAll: UploadQuestion.Answer?

    private struct Chosen {
        var file: UploadFile
        var conflict = ConflictPolicy.fail
        var pace = UploadPace()
    }

    /// - Parameter seconds: a clock for rates; of any beginning.
    public init(_ uploads: any UploadRepository, words: Words, seconds: @escaping @Sendable () -> Double) {
        self.uploads = uploads
        self.words = words
        self.seconds = seconds
    }

    // MARK: - Choosing

    /// Looks what was begun before, and broken off.
    public func open() async {
        do {
            let known = Set(state.rows.compactMap(\.session))
            for standing in try await uploads.underWay() where !known.contains(standing.id) {
                let id = add(standing.name, to: standing.folder, bytes: standing.size, .unfinished)
                change(id) {
                    $0.session = standing.id
                    $0.sent = standing.receivedBytes
                    $0.detail = words.filled(.uploadUnfinished, words.size($0.sent), words.size($0.total))
                }
            }
        } catch {
            state.notice = words.failure(error)
        }
    }

    /// Sends these as soon as it is their turn. One that was begun before resumes in its row.
    public func upload(_ files: [UploadFile], to folder: ItemID) {
        for file in files {
            let name = ShownName.of(file.name)
            state.rows.removeAll {
                $0.phase == .unfinished && $0.folder == folder && $0.name == name && $0.total == file.size
            }
            chosen[add(file.name, to: folder, bytes: file.size, .waiting)] = Chosen(file: file)
        }
        goOn()
    }

    // MARK: - Deciding

    /// Says what to do with a file whose name is taken.
    ///
    /// - Parameter forAll: and with all that follow, while something is under way.
    public func answer(_ answer: UploadQuestion.Answer, forAll: Bool) async {
        guard let question = state.question else { return }
        if forAll { answerForAll = answer }
        let asking = state.rows.filter { $0.phase == .asking }.map(\.id)
        for id in forAll ? asking : [question.row] { await settle(id, by: answer) }
        ask()
        goOn()
    }

    public func pause(_ id: UploadRow.ID) {
        guard let row = row(id), [.waiting, .sending].contains(row.phase) else { return }
        change(id) {
            $0.phase = .paused
            $0.detail = words[.uploadPaused]
        }
        tasks.removeValue(forKey: id)?.cancel()
        goOn()
    }

    /// Goes on with one that was paused or failed, where it was.
    public func resume(_ id: UploadRow.ID) {
        guard let row = row(id), chosen[id] != nil else { return }
        switch row.phase {
        case .paused, .failed: wait(id)
        case .waiting, .sending, .asking, .unfinished, .finished: return
        }
        goOn()
    }

    /// Begins anew: what came is given up.
    public func startOver(_ id: UploadRow.ID) async {
        guard let row = row(id), chosen[id] != nil else { return }
        tasks.removeValue(forKey: id)?.cancel()
        if let session = row.session { await giveUp(session) }
        change(id) {
            $0.session = nil
            $0.sent = 0
        }
        wait(id)
        goOn()
    }

    /// Takes one out of the list, and what came of it from the server.
    public func cancel(_ id: UploadRow.ID) async {
        guard let row = row(id) else { return }
        tasks.removeValue(forKey: id)?.cancel()
        remove(id)
        ask()
        goOn()
        if case .finished = row.phase { return }
        if let session = row.session { await giveUp(session) }
    }

    /// Takes those that are there out of the list.
    public func clearFinished() {
        for row in state.rows { if case .finished = row.phase { remove(row.id) } }
    }

    public func dismissNotice() { state.notice = nil }

    /// Until nothing goes by itself any more.
    public func rest() async {
        while let task = tasks.values.first { await task.value }
    }

    // MARK: - Sending

    private func goOn() {
        for row in state.rows where row.phase == .waiting && tasks.count < Self.mostAtOnce {
            guard let one = chosen[row.id] else { continue }
            change(row.id) { $0.phase = .sending }
            tasks[row.id] = Task { await send(row.id, one) }
        }
        if !state.rows.contains(where: { $0.phase.isActive }) { answerForAll = nil }
    }

    private func send(_ id: UploadRow.ID, _ one: Chosen) async {
        do {
            guard let folder = row(id)?.folder else { return }
            for try await standing in uploads.upload(one.file, to: folder, conflict: one.conflict) {
                // Paused or canceled: what comes after it is nothing to this row.
                guard !Task.isCancelled else { return }
                take(standing, id)
            }
        } catch {
            guard !Task.isCancelled else { return }
            await refuse(id, error)
        }
        guard !Task.isCancelled else { return }
        tasks[id] = nil
        goOn()
    }

    private func take(_ standing: UploadStanding, _ id: UploadRow.ID) {
        chosen[id]?.pace.add(standing.receivedBytes, at: seconds())
        let rate = chosen[id]?.pace.rate
        change(id) {
            $0.session = standing.id
            $0.sent = standing.receivedBytes
            $0.detail = words.progress($0.sent, of: $0.total, rate: rate)
            guard let item = standing.item else { return }
            $0.name = ShownName.of(item.name)
            $0.phase = .finished(item.id)
            $0.detail = words.size($0.total)
        }
        if standing.item != nil { chosen[id] = nil }
    }

    private func refuse(_ id: UploadRow.ID, _ error: any Error) async {
        let failure = error as? ClientFailure
        if failure?.code == .nameConflict, let one = chosen[id], one.conflict == .fail {
            if let taken = failure?.problem?.conflictingFileId, await isThere(one.file, as: ItemID(taken), id) {
                return
            }
            if let answerForAll { return await settle(id, by: answerForAll) }
            change(id) {
                $0.phase = .asking
                $0.detail = words[.uploadAsking]
            }
            return ask()
        }
        fail(id, error)
    }

    /// What has the name may be the same file, of a batch that was broken off: then its row says so, and nobody is asked.
    ///
    /// - Returns: whether the row is settled.
    private func isThere(_ file: UploadFile, as item: ItemID, _ id: UploadRow.ID) async -> Bool {
        do {
            let isSame = try await uploads.isThere(file, as: item)
            // Paused or canceled meanwhile: nothing is asked of it.
            guard !Task.isCancelled else { return true }
            guard isSame else { return false }
            chosen[id] = nil
            let session = row(id)?.session
            change(id) {
                $0.session = nil
                $0.sent = $0.total
                $0.phase = .finished(item)
                $0.detail = words[.uploadThere]
            }
            if let session { await giveUp(session) }
            return true
        } catch let failure as ClientFailure where [.notFound, .notAFile].contains(failure.code) {
            return false
        } catch {
            if !Task.isCancelled { fail(id, error) }
            return true
        }
    }

    private func fail(_ id: UploadRow.ID, _ error: any Error) {
        let failure = error as? ClientFailure
        let notice = words.failure(error)
        let fromScratch = failure.map { [.integrityMismatch, .sessionExpired, .sourceChanged].contains($0.code) }
        change(id) {
            $0.phase = .failed(notice, fromScratch: fromScratch ?? false)
            $0.detail = notice.text
        }
    }

    private func settle(_ id: UploadRow.ID, by answer: UploadQuestion.Answer) async {
        guard let policy = answer.policy else { return await cancel(id) }
        chosen[id]?.conflict = policy
        wait(id)
    }

    private func ask() {
        let row = state.rows.first { $0.phase == .asking }
        state.question = row.map { UploadQuestion(row: $0.id, name: $0.name) }
    }

    private func giveUp(_ session: String) async {
        do {
            try await uploads.cancel(session)
        } catch {
            state.notice = words.failure(error)
        }
    }

    // MARK: - Rows

    private func add(
        _ name: String, to folder: ItemID, bytes: Int64, _ phase: UploadRow.Phase
    ) -> UploadRow.ID {
        nextID += 1
        state.rows.append(
            UploadRow(
                id: nextID, name: ShownName.of(name), folder: folder, phase: phase, sent: 0, total: bytes,
                detail: words[.uploadWaiting]))
        return nextID
    }

    private func wait(_ id: UploadRow.ID) {
        change(id) {
            $0.phase = .waiting
            $0.detail = words[.uploadWaiting]
        }
    }

    private func remove(_ id: UploadRow.ID) {
        state.rows.removeAll { $0.id == id }
        chosen[id] = nil
    }

    private func row(_ id: UploadRow.ID) -> UploadRow? { state.rows.first { $0.id == id } }

    private func change(_ id: UploadRow.ID, _ body: (inout UploadRow) -> Void) {
        guard let index = state.rows.firstIndex(where: { $0.id == id }) else { return }
        body(&state.rows[index])
    }
}

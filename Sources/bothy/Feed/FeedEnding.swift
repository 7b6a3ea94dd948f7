import BothyClient
import BothyContract

/// What a command says of what it did in the feed and could not send yet, and what will send it.
struct FeedEnding {
    var output: OutputOptions
    /// What the command did, among all that waits.
    private let isOwn: @Sendable (FeedOperation) -> Bool

    /// Of what is done after this.
    ///
    /// - Parameter requestId: of what may have been written down before; nil where nothing was.
    init(output: OutputOptions, after home: DeviceHome, orAs requestId: String? = nil) async throws {
        let last = try await home.feed.operations().last?.id ?? 0
        self.output = output
        isOwn = { $0.id > last || $0.requestId == requestId }
    }

    /// Of what has these numbers.
    init(output: OutputOptions, of numbers: Set<Int64>) {
        self.output = output
        isOwn = { numbers.contains($0.id) }
    }

    /// - Parameter done: what is said where nothing waits.
    /// - Throws: `Finished` where something waits.
    func tell(_ home: DeviceHome, done: String, _ document: some Encodable = [String: String]()) async throws {
        if output.json { try output.print(document) }
        let waits = try await tellWhatWaits(home)
        if waits { throw Finished(status: .queued) }
        if !output.json { try output.tell(done, document) }
    }

    /// What the command did, in order, as far as this device has not taken it from the server's feed yet.
    func own(_ home: DeviceHome) async throws -> [FeedOperation] { try await home.feed.operations().filter(isOwn) }

    private func all(_ home: DeviceHome) async throws -> [FeedOperation] {
        try await home.feed.operations().filter { $0.state == .queued || $0.state == .sending }
    }

    /// - Returns: whether anything of it waits.
    func tellWhatWaits(_ home: DeviceHome) async throws -> Bool {
        let all = try await all(home)
        let own = all.filter(isOwn)
        guard let first = own.first else { return false }
        // One that does not start sends nothing; the words say so.
        let isSeenTo = (try? await HomeAgent.goOn()) ?? false
        if isSeenTo { await HomeAgent.look() }
        let what = FeedEndingWords.subject(own: own.count, earlier: all.count { $0.id < first.id })
        let later = isSeenTo ? "" : ", with the next “bothy feed”; “bothy agent --background” does it automatically"
        let waiting = try await home.feed.waiting()
        let ownFiles = waiting.filter { post in own.contains { $0.id == post.id } }.compactMap(\.files)
        if let files = ownFiles.first {
            output.note("The post waits for \(PostWords.files(files)).")
        }
        // Posts keep their order: one also waits for the files of those before it.
        let blocker = first.makesPost ? all.first { $0.makesPost && $0.id <= first.id } ?? first : first
        let files = waiting.first { $0.id == blocker.id }?.files
        let failure = try await standing(of: blocker, files, isSeenTo: isSeenTo, home)
        if let failure, blocker.nextAttemptAt == nil {
            output.note("\(failure.words) \(failure.remedy) Your changes wait on this device until then.")
        } else if let failure {
            output.note("\(failure.words) \(what) will be tried again\(later).")
        } else {
            output.note("There is no connection. \(what) will be sent when there is one\(later).")
        }
        return true
    }

    /// Why it waits; nil where there is no connection. An agent that sends it has said so in the journal.
    private func standing(
        of operation: FeedOperation, _ files: WaitingFiles?, isSeenTo: Bool, _ home: DeviceHome
    ) async throws -> ClientFailure? {
        if let files {
            if let failure = files.failure { return failure }
            if let hold = try await home.conditions.hold(on: .byItself) {
                return ClientFailure(.transferPaused, hold.words, remedy: hold.remedy)
            }
        }
        guard !isSeenTo else { return operation.lastError }
        if case .held(let failure) = try await home.replica.push(only: .feed, lane: .feed) {
            return failure.code == .offline ? nil : failure
        }
        return operation.lastError
    }
}

extension FeedOperation {
    fileprivate var makesPost: Bool {
        if case .publish = action { true } else { false }
    }
}

import BothyClient
import BothyContract

/// What a command says of what could not be sent to the feed yet, and who sees to it.
struct FeedEnding {
    var output: OutputOptions

    /// - Parameter done: what is said where nothing waits.
    /// - Throws: `Finished` where something waits.
    func tell(_ home: DeviceHome, done: String, _ document: some Encodable = [String: String]()) async throws {
        if output.json { try output.print(document) }
        let waits = try await tellWhatWaits(home)
        if waits { throw Finished(status: .queued) }
        if !output.json { try output.tell(done, document) }
    }

    /// - Returns: whether anything waits.
    func tellWhatWaits(_ home: DeviceHome) async throws -> Bool {
        let pending = try await home.feed.operations().filter { $0.state == .queued || $0.state == .sending }
        guard let first = pending.first else { return false }
        // One that does not start sends nothing; the words say so.
        let isSeenTo = (try? await HomeAgent.goOn()) ?? false
        if isSeenTo { await HomeAgent.look() }
        let what = pending.count == 1 ? "This" : "These \(pending.count)"
        let later = isSeenTo ? "" : ", with the next “bothy feed”; “bothy agent --background” lets it go by itself"
        if let files = try await home.feed.waiting().first(where: { $0.id == first.id })?.files {
            output.note("The post waits for \(PostWords.files(files)).")
        }
        let failure = try await standing(of: first, isSeenTo: isSeenTo, home)
        if let failure, first.nextAttemptAt == nil {
            output.note("\(failure.words) \(failure.remedy) What you did waits on this device until then.")
        } else if let failure {
            output.note("\(failure.words) \(what) will be tried again\(later).")
        } else {
            output.note("There is no connection. \(what) will be sent when there is one\(later).")
        }
        return true
    }

    /// Why it waits; nil where there is no connection. An agent that sees to it has said so in the journal.
    private func standing(
        of operation: FeedOperation, isSeenTo: Bool, _ home: DeviceHome
    ) async throws -> ClientFailure? {
        if let waiting = try await home.feed.waiting().first(where: { $0.id == operation.id })?.files {
            if let failure = waiting.failure { return failure }
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

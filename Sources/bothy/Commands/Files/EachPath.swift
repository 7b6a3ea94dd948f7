import BothyClient

/// Does the same to several things, tells of each that could not be done, and ends in one status for all.
enum EachPath {
    /// - Throws: the complaint itself where there was one thing only; `partlyDone` or the common one for several.
    static func run(
        _ paths: [String], json: Bool, _ work: (RemoteArgument) async throws -> Void
    ) async throws {
        // All are read before anything is done: a typing error in the last is no reason to do half.
        try await run(paths.map { try RemoteArgument($0) }, json: json, work)
    }

    /// - Throws: as the one above.
    static func run(
        _ arguments: [RemoteArgument], json: Bool, _ work: (RemoteArgument) async throws -> Void
    ) async throws {
        var statuses: [ExitStatus] = []
        for argument in arguments {
            do {
                try await work(argument)
                statuses.append(.done)
            } catch {
                guard let complaint = Complaint(describing: error), complaint.status != .interrupted,
                    arguments.count > 1
                else { throw error }
                statuses.append(complaint.status)
                complaint.print(json: json)
                if complaint.status == .signInNeeded { break }
            }
        }
        let status = ExitStatus.ofAll(statuses)
        guard status == .done else {
            let done = statuses.filter { $0 == .done }.count
            throw Complaint(.partlyDone, "\(done) of \(arguments.count) were done.", status: status)
        }
    }
}

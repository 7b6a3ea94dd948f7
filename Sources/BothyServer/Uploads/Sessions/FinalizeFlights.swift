import BothyContract

/// Finalizes that are under way: a repeat joins the one that runs instead of racing it.
actor FinalizeFlights {
    private struct Key: Hashable {
        var drive: Int64
        var uploadId: String
    }

    private struct Flight {
        var request: FinalizeRequest
        var task: Task<UploadOutcome, any Error>
    }

    private var flights = [Key: Flight]()

    /// Runs `finalize`, or joins one with the same request. It goes on though a client that asked goes away.
    func run(
        drive: Int64, uploadId: String, request: FinalizeRequest,
        _ finalize: @escaping @Sendable () async throws -> UploadOutcome
    ) async throws -> UploadOutcome {
        let key = Key(drive: drive, uploadId: uploadId)
        // One that asks for something else waits its turn: its terms may be the answer to the other's refusal.
        while let flight = flights[key] {
            let result = await flight.task.result
            if flight.request == request { return try result.get() }
        }
        let task = Task { try await finalize() }
        flights[key] = Flight(request: request, task: task)
        let result = await task.result
        flights[key] = nil
        return try result.get()
    }
}

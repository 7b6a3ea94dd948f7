/// What a transfer met on its way, for finding out what is wrong with a network or a server.
public struct TransferTrace: Codable, Equatable, Sendable {
    /// Failures in a row that were not the network's.
    public var failures: Int
    /// How often the part that was tried most was tried; 0 before the first.
    public var mostAttempts: Int
    /// Bytes from the beginning that are over there (or here) without a gap.
    public var byteOffset: Int64
    /// Of the server's newest answer, as HTTP has it, and for a download of its newest refusal; absent before there was one.
    public var serverStatus: Int?

    init(failures: Int, attempts: [Int: Int], byteOffset: Int64, serverStatus: Int?) {
        self.failures = failures
        mostAttempts = attempts.values.max() ?? 0
        self.byteOffset = byteOffset
        self.serverStatus = serverStatus
    }
}

/// What has come of a request, by its id: `GET /v1/requests/{requestId}`, and `DELETE` to withdraw it.
public struct RequestEndResponse: Codable, Equatable, Sendable {
    /// Whether it was done. After it was withdrawn, false means never.
    public var done: Bool
    /// What it left, as it was right then; absent where it left no file.
    public var file: File?

    public init(done: Bool, file: File? = nil) {
        self.done = done
        self.file = file
    }
}

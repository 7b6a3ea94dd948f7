import BothyContract

extension NetworkDispatcher {
    /// What lies at a signed address, whole. For screens: it is not tried for long.
    ///
    /// - Parameters:
    ///   - address: of content, or of a small picture of it.
    ///   - most: bytes that it may have.
    func picture(at address: String, most: Int64) async throws -> KeptPictures.Picture {
        let answer = try await send(
            WireRequest(.GET, address, signed: false, answerLimit: Int(most), retries: .brief))
        return KeptPictures.Picture(mimeType: answer.mimeType, bytes: answer.body)
    }
}

extension WireResponse {
    var mimeType: String { headers.first(name: "Content-Type") ?? File.defaultMimeType }
}

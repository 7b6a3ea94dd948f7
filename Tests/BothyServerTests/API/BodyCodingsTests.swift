import BothyContract
import BothyServer
import HTTPTypes
import Testing

/// A body that was compressed for the way is unpacked, or refused: never kept as it came.
@Suite struct BodyCodingsTests {
    @Test(arguments: [
        (HTTPRequest.Method.post, "/v1/upload?uploadType=media&name=x"), (.post, "/v1/upload?uploadType=resumable"),
        (.put, "/v1/upload/x/chunk"), (.put, "/v1/upload/x/chunks/0"), (.post, "/v1/upload/x/plan"),
        (.post, "/v1/files"),
        (.patch, "/v1/files/x"), (.post, "/v1/restore"), (.post, "/v1/files/x/copy"),
    ])
    func whereNothingUnpacksItItIsRefused(method: HTTPRequest.Method, path: String) async throws {
        let world = try await UploadWorld()
        for coding in ["gzip", "zstd", "ZSTD", "identity, gzip"] {
            let answer = try await world.server.send(method, path, text: "{}", headers: [.contentEncoding: coding])
            #expect(answer.status == 415 && answer.code == .unsupportedMediaType, "\(path): \(answer.text)")
            #expect(answer.text.contains("multipart"), "it says where a compressed body is taken")
        }
        let plain = try await world.server.send(method, path, text: "{}", headers: [.contentEncoding: "identity"])
        #expect(plain.status != 415)
    }
}

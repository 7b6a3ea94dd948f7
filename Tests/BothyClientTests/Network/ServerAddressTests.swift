import BothyClient
import Testing

@Suite struct ServerAddressTests {
    @Test(arguments: [
        ("http://127.0.0.1:8420", "http://127.0.0.1:8420"), ("https://Files.Example.org/", "https://files.example.org"),
        ("files.example.org", "https://files.example.org"), ("localhost:8420", "http://localhost:8420"),
        ("127.0.0.2:80", "http://127.0.0.2"), ("[::1]:8420", "http://[::1]:8420"), ("LOCALHOST", "http://localhost"),
        ("localhost.example.org", "https://localhost.example.org"), ("localhosting.net", "https://localhosting.net"),
        ("127.0.0.1.example.org", "https://127.0.0.1.example.org"), ("127.example.org", "https://127.example.org"),
        ("https://files.example.org:443", "https://files.example.org"), ("http://[::1]:80", "http://[::1]"),
    ]) func whatAPersonTypesIsAnOrigin(typed: String, origin: String) throws {
        #expect(try ServerAddress(typed).origin == origin)
    }

    @Test(arguments: ["", "ftp://x", "https://", "https://x/path", "https://user@x", "https://x?y", "https://x#y"])
    func whatIsNoAddressIsRefused(typed: String) {
        #expect(throws: ClientFailure.self) { try ServerAddress(typed) }
    }

    @Test func onlyTheServersOwnAddressesGetItsToken() throws {
        let server = try ServerAddress("https://files.example.org")
        #expect(server.resolve("/v1/content/x?sig=1")?.own == true)
        #expect(server.resolve("https://files.example.org/v1/content/x")?.own == true)
        #expect(server.resolve("https://cdn.example.org/x")?.own == false)
        #expect(server.resolve("http://files.example.org/x")?.own == false)
        #expect(server.resolve("https://files.example.org:8443/x")?.own == false)
        #expect(server.resolve("//elsewhere/x") == nil)
        #expect(server.resolve("file:///etc/passwd") == nil)
    }
}

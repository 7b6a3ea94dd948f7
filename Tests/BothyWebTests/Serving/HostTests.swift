import Testing

@testable import BothyWeb

@Suite struct HostTests {
    @Test(arguments: [
        "127.0.0.1:8420", "localhost:8420", "[::1]:8420", "192.168.1.20:8420", "kitchen", "kitchen.local:80",
        "box.lan", "box.home.arpa",
    ])
    func anAddressAndANameThatNoPublicPageCanHaveAreOurs(_ host: String) {
        #expect(WebSettings(publicURL: nil, hasTLS: false, server: "1a2b").origin(ofHost: host) == "http://" + host)
    }

    @Test(arguments: [
        "evil.example", "127.0.0.1.evil.example", "1.2.3.4.5", "localhost.evil.example", "a b", "a/b", "é",
    ])
    func anyoneElsesNameIsNot(_ host: String) {
        #expect(WebSettings(publicURL: nil, hasTLS: false, server: "1a2b").origin(ofHost: host) == nil)
    }

    @Test func theNameThatTheOwnerGaveIsOurs() {
        let settings = WebSettings(publicURL: "https://Bothy.example.org/", hasTLS: false, server: "1a2b")
        #expect(settings.origin(ofHost: "bothy.example.org") == "https://bothy.example.org")
        #expect(settings.origin(ofHost: "other.example.org") == nil)
        #expect(settings.isSecure)
    }
}

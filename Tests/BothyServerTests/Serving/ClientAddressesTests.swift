import HTTPTypes
import Testing

@testable import BothyServer

@Suite struct ClientAddressesTests {
    private func client(
        peer: String, forwardedFor: String? = nil, trusting: [String] = [], isPublic: Bool = false,
        authority: String? = "localhost:8420", headers: HTTPFields = [:]
    ) -> ClientAddress {
        var headers = headers
        if let forwardedFor { headers[.init("x-forwarded-for")!] = forwardedFor }
        return ClientAddresses(trustedProxies: trusting.compactMap(IPNetwork.init), isPublic: isPublic)
            .client(peer: IPAddress(text: peer), headers: headers, authority: authority)
    }

    private func address(_ text: String) -> IPAddress? { IPAddress(text: text) }

    @Test func withoutAProxyTheSocketSaysWhoItIs() {
        #expect(client(peer: "203.0.113.9").address == address("203.0.113.9"))
        #expect(client(peer: "127.0.0.1").isLocal && client(peer: "::1").isLocal)
        #expect(!client(peer: "203.0.113.9").isLocal)
    }

    @Test func nobodyElsesForwardedForCounts() {
        let claimed = client(peer: "203.0.113.9", forwardedFor: "127.0.0.1")
        #expect(claimed.address == address("203.0.113.9") && !claimed.isLocal)
        let other = client(peer: "203.0.113.9", forwardedFor: "127.0.0.1", trusting: ["10.0.0.0/8"])
        #expect(other.address == address("203.0.113.9") && !other.isLocal)
    }

    @Test func aTrustedProxySpeaksForItsClient() {
        let behind = client(peer: "127.0.0.1", forwardedFor: "203.0.113.9", trusting: ["127.0.0.1"])
        #expect(behind.address == address("203.0.113.9") && !behind.isLocal)
        let chain = client(
            peer: "127.0.0.1", forwardedFor: "1.1.1.1, 203.0.113.9:5555, 10.0.0.7",
            trusting: ["127.0.0.1", "10.0.0.0/8"])
        #expect(chain.address == address("203.0.113.9"), "what an untrusted hop claims is hearsay")
    }

    /// It was taken for the proxy itself, which made it somebody at this machine, who may register.
    @Test(arguments: [
        "unknown", "203.0.113.9, unknown", "unix:", "unix:/run/x.sock", "_hidden", "localhost", "127.0.0.1:http",
        "127.0.0.1:",
        "[::1]x", "[::1]:", "[127.0.0.1]", "127.0. 0.1", "::1]:80", "127.0.0.1:99999",
    ])
    func whomTheProxyCannotNameIsAStranger(claim: String) {
        #expect(client(peer: "127.0.0.1", forwardedFor: claim, trusting: ["127.0.0.1"]) == .unknown)
    }

    @Test func whatLiesBeyondAStrangerIsNotRead() {
        let behind = client(peer: "127.0.0.1", forwardedFor: "unknown, 203.0.113.9", trusting: ["127.0.0.1"])
        #expect(behind.address == address("203.0.113.9") && !behind.isLocal)
    }

    @Test(arguments: [
        ("1.2.3.4:5678", "1.2.3.4"), ("[2001:db8::9]:5678", "2001:db8::9"), ("[2001:db8::9]", "2001:db8::9"),
        ("2001:db8::9", "2001:db8::9"), ("  1.2.3.4\t", "1.2.3.4"),
    ])
    func anAddressMayHaveAPort(claim: String, read: String) {
        let behind = client(peer: "127.0.0.1", forwardedFor: claim, trusting: ["127.0.0.1"])
        #expect(behind.address == address(read) && !behind.isLocal)
    }

    @Test func whoIsAtTheProxysOwnMachineStaysLocal() {
        for claim in ["127.0.0.1", "127.0.0.1:5678", "[::1]:80", "::1"] {
            #expect(client(peer: "127.0.0.1", forwardedFor: claim, trusting: ["127.0.0.0/8", "::1"]).isLocal)
        }
    }

    @Test func aProxyThatNobodyToldOfMakesNobodyLocal() {
        for name in ["x-forwarded-for", "forwarded", "via", "x-real-ip", "x-forwarded-host"] {
            let headers: HTTPFields = [.init(name)!: "127.0.0.1"]
            #expect(!client(peer: "127.0.0.1", headers: headers).isLocal, "\(name)")
        }
    }

    @Test func aServerThatIsMeantForOthersTakesNobodyForLocal() {
        #expect(!client(peer: "127.0.0.1", isPublic: true).isLocal)
    }

    /// A page of any site may send a form to this machine's own address: it would make accounts that nobody asked for.
    @Test func whatAnotherSitesPageSendsIsNotLocal() {
        for origin in ["https://evil.example", "null", "http://127.0.0.1:9999", "http://127.0.0.1", ""] {
            #expect(!client(peer: "127.0.0.1", authority: "127.0.0.1:8420", headers: [.origin: origin]).isLocal)
        }
        #expect(!client(peer: "127.0.0.1", authority: nil, headers: [.origin: "null"]).isLocal)
        for origin in ["http://127.0.0.1:8420", "https://127.0.0.1:8420"] {
            #expect(client(peer: "127.0.0.1", authority: "127.0.0.1:8420", headers: [.origin: origin]).isLocal)
        }
    }

    @Test func aWebPageThatPointsItsOwnNameHereIsNotLocal() {
        #expect(!client(peer: "127.0.0.1", authority: "evil.example.org").isLocal)
        #expect(client(peer: "127.0.0.1", authority: "127.0.0.1:8420").isLocal)
        #expect(client(peer: "::1", authority: "[::1]:8420").isLocal)
        #expect(client(peer: "127.0.0.1", authority: "LOCALHOST").isLocal)
    }
}

import BothyServer
import HTTPTypes
import Testing

@Suite struct AddressTests {
    @Test func networksContainTheirAddresses() throws {
        let cases: [(String, String, Bool)] = [
            ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false), ("127.0.0.1", "127.0.0.1", true),
            ("127.0.0.1", "127.0.0.2", false), ("0.0.0.0/0", "8.8.8.8", true), ("0.0.0.0/0", "2001:db8::1", false),
            ("2001:db8::/33", "2001:db8:7fff::1", true), ("2001:db8::/33", "2001:db8:8000::1", false),
            ("10.0.0.0/8", "::ffff:10.1.2.3", true), ("::1", "::1", true), ("::/0", "1.2.3.4", true),
        ]
        for (network, address, isIn) in cases {
            let (network, address) = (try #require(IPNetwork(text: network)), try #require(IPAddress(text: address)))
            #expect(network.contains(address) == isIn, "\(network) \(address)")
        }
        for text in ["", "10.0.0.0/33", "10.0.0/8", "x", "::/129", "1.2.3.4/-1", "1.2.3.4/8/8"] {
            #expect(IPNetwork(text: text) == nil, "\(text)")
        }
    }

    @Test func oneCustomersAddressesAreOneNetwork() {
        #expect(IPAddress(text: "2001:db8:1:2:3:4:5:6")?.network == IPAddress(text: "2001:db8:1:2::9")?.network)
        #expect(IPAddress(text: "2001:db8:1:2::")?.network != IPAddress(text: "2001:db8:1:3::")?.network)
        #expect(IPAddress(text: "::ffff:1.2.3.4")?.network == "1.2.3.4")
        #expect(IPAddress(text: "127.8.8.8")?.isLoopback == true && IPAddress(text: "::1")?.isLoopback == true)
        #expect(IPAddress(text: "128.0.0.1")?.isLoopback == false)
    }

    @Test func anIPv6SiteHasManyNetworksAndAnIPv4AddressIsOne() throws {
        for (text, site) in [("2001:db8:7:9::1", "2001:db8:7::/48"), ("::1", "0:0:0::/48"), ("1.2.3.4", "1.2.3.4")] {
            let network = try #require(IPAddress(text: text)).network
            #expect(IPAddress.site(ofNetwork: network) == site)
        }
        #expect(IPAddress.site(ofNetwork: "unknown") == "unknown")
    }

    @Test func listenAddressesAreReadAsTheyAreWritten() {
        for text in ["127.0.0.1:80", "[::1]:0", "localhost:8420", "[::]:65535"] {
            #expect(ListenAddress(text: text)?.description == text)
        }
        for text in ["", ":80", "host", "host:", "host:x", "::1:80", "host:65536", "a b:1", "host:-1"] {
            #expect(ListenAddress(text: text) == nil, "\(text)")
        }
        #expect(ListenAddress(text: "0.0.0.0:80")?.reachable(port: 80) == "127.0.0.1:80")
    }

    @Test func bytesAreReadAsPeopleWriteThem() {
        let cases: [(String, Int64?)] = [
            ("0", 0), ("10 GiB", 10 << 30), ("10GiB", 10 << 30), ("500MB", 500_000_000), ("1k", 1024), ("1.5 GiB", nil),
            ("-1", nil), ("", nil), ("GiB", nil), ("9223372036854775807", .max), ("9223372036854775808", nil),
            ("8388608 TiB", nil),
        ]
        for (text, bytes) in cases { #expect(ByteCount.parse(text) == bytes, "\(text)") }
        #expect(
            ByteCount.text(1536) == "1.5 KiB" && ByteCount.text(999) == "999 bytes"
                && ByteCount.text(1) == "1 byte" && ByteCount.text(10 << 30) == "10 GiB")
        // As the command line rounds them for who uses the server (`ByteText`).
        #expect(ByteCount.text(3_855_187_561) == "3.6 GiB" && ByteCount.text(1_048_064) == "1 MiB")
        #expect(ByteCount.text((37 << 30) + (1 << 29)) == "38 GiB")
    }
}

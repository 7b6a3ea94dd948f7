import BothyServer
import Foundation
import Testing

@Suite struct ConfigSourcesTests {
    private func read(
        yaml: String? = nil, environment: [String: String] = [:], flags: [(key: ConfigKey, value: String)] = []
    ) throws -> ServerConfig {
        guard let yaml else { return try ConfigSources(file: nil, environment: environment, flags: flags).read() }
        let folder = try TemporaryFolder()
        let file = folder.file("bothy.yaml")
        try yaml.write(toFile: file, atomically: true, encoding: .utf8)
        return try ConfigSources(file: file, environment: environment, flags: flags).read()
    }

    private func fault(yaml: String? = nil, environment: [String: String] = [:]) throws -> String {
        do {
            _ = try read(yaml: yaml, environment: environment)
            return "none"
        } catch let fault as ServerFault {
            #expect(fault.kind == .usage)
            return fault.description
        }
    }

    @Test func aVariableIsStrongerThanTheFileAndAFlagThanBoth() throws {
        let config = try read(
            yaml: "listen: 127.0.0.1:1\nminFree: 5 GiB\nregistration: closed\nlog:\n  level: error\n",
            environment: ["BOTHY_LISTEN": "127.0.0.1:2", "BOTHY_MIN_FREE": "7GiB"], flags: [(.listen, "127.0.0.1:3")])
        #expect(config.listen.port == 3 && config.minFree == 7 << 30)
        #expect(config.registration == .closed && config.logLevel == .error)
    }

    @Test func anUnknownKeyIsNamedWithTheNearestKnownOne() throws {
        #expect(try fault(yaml: "lissten: 127.0.0.1:1\n").contains("“lissten”"))
        #expect(try fault(yaml: "lissten: 127.0.0.1:1\n").contains("Did you mean “listen”?"))
        #expect(try fault(yaml: "data: /x\ntls:\n  certifcate: a\n").contains("line 3"))
        #expect(try fault(yaml: "tls:\n  certifcate: a\n").contains("“tls.certificate”"))
        #expect(try fault(environment: ["BOTHY_LISSTEN": "x"]).contains("“BOTHY_LISTEN”"))
        #expect(!(try fault(yaml: "zzzzzzzzzz: 1\n").contains("Did you mean")))
    }

    @Test func theClientsVariablesAreLeftAlone() throws {
        _ = try read(environment: ["BOTHY_HOME": "/x", "BOTHY_PASSWORD": "y", "PATH": "/bin", "BOTHY_TEST_X": "1"])
    }

    @Test(arguments: [
        "listen: nonsense", "listen: 1.2.3.4:99999", "listen: ::1:80", "minFree: much", "minFree: -1",
        "registration: some",
        "log:\n  level: loud", "existing: perhaps", "trustedProxies: [300.1.1.1]", "trustedProxies: [10.0.0.0/33]",
        "publicUrl: bothy.example.org", "publicUrl: https://user:pw@example.org", "publicUrl: https://example.org/path",
        "metrics:\n  listen: 0.0.0.0:9420", "maxConnections: 0", "versions: some", "versions: 30",
        "versions: [90, 30, 365]", "idleTimeout: 100000", "tls:\n  certificate: a",
        "data: {a: b}", "listen: [", "- a\n- b", "just text", "minFree: 99999999999999 TiB",
    ])
    func whatCannotBeIsRefusedInWords(_ yaml: String) throws {
        let words = try fault(yaml: yaml)
        #expect(words != "none" && words.count > 20, "\(words)")
    }

    @Test func anEmptyFileSetsNothing() throws {
        #expect(try read(yaml: "").listen == ServerConfig().listen)
        #expect(try read(yaml: "# only a comment\n").listen == ServerConfig().listen)
    }

    @Test func aFileThatIsNotThereIsNamed() throws {
        #expect(throws: ServerFault.self) {
            try ConfigSources(file: "/nonexistent/bothy.yaml", environment: [:], flags: []).read()
        }
    }

    @Test func whatIsPrintedReadsBackAsTheSame() throws {
        let config = try read(
            yaml: """
                data: /srv/"odd" folder
                listen: "[::1]:0"
                publicUrl: https://bothy.example.org/
                trustedProxies: [10.0.0.0/8, "::1"]
                tls: {certificate: a.pem, key: b.pem}
                quota: 10 GiB
                """)
        let printed = config.yaml
        #expect(try read(yaml: printed).yaml == printed)
        #expect(printed.contains("https://bothy.example.org\"") && printed.contains("10737418240"))
    }

    @Test func everySettingHasAVariable() {
        #expect(ConfigKey.tlsCertificate.variable == "BOTHY_TLS_CERTIFICATE")
        #expect(ConfigKey.publicUrl.variable == "BOTHY_PUBLIC_URL")
        #expect(Set(ConfigKey.allCases.map(\.variable)).count == ConfigKey.allCases.count)
    }

    @Test func thePackagedExampleIsValid() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let example = root.appending(path: "packaging/bothy.yaml").path(percentEncoded: false)
        _ = try ConfigSources(file: example, environment: [:], flags: []).read()
        let whole = try String(contentsOfFile: example, encoding: .utf8)
            .replacing(#/# (?=[a-zA-Z]+:)/#, with: "").replacing(#/#   (?=[a-zA-Z]+:)/#, with: "  ")
        #expect(try read(yaml: whole).metricsListen?.port == 9420, "what is commented out is valid too")
    }
}

import Foundation
import Testing

@testable import bothy

@Suite struct LocalTargetTests {
    @Test(arguments: [
        "..", ".", "", "/", "a/b", "../../etc/passwd", "/etc/passwd", "a\u{0}b", "\u{1B}[2J", "a\nb",
        String(repeating: "x", count: 256), "/\u{301}",
    ])
    func noNameFromTheServerLeavesTheFolder(_ name: String) {
        let complaint = #expect(throws: Complaint.self) { try LocalTarget(root: "down").appending(remoteName: name) }
        #expect(complaint?.code == "unsafe_name")
    }

    @Test func whateverIsAcceptedStaysBelowTheRoot() throws {
        let pieces = ["..", ".", "/", "a", "\u{0}", " ", "\\", "é", "e\u{301}", "…", "~", "$", "-", "\u{202E}"]
        var accepted = 0
        for _ in 0..<5000 {
            let name = (0..<Int.random(in: 0..<5)).map { _ in pieces.randomElement() ?? "" }.joined()
            guard
                let target = try? LocalTarget(root: "/root/down").appending(remoteName: "x").appending(remoteName: name)
            else { continue }
            accepted += 1
            let bytes = Array(target.path.utf8)
            let parts = bytes.split(separator: UInt8(ascii: "/"))
            #expect(parts.count == 4, "one component: \(name)")
            #expect(!parts.contains { $0.elementsEqual("..".utf8) || $0.elementsEqual(".".utf8) })
            #expect(!bytes.contains(0))
        }
        #expect(accepted > 100)
    }

    @Test func pathsJoinWithOneSlash() throws {
        #expect(try LocalTarget(root: ".").appending(remoteName: "a").path == "./a")
        #expect(try LocalTarget(root: "/").appending(remoteName: "a").path == "/a")
        #expect(LocalTarget(root: "down").path == "down")
    }

    @Test(
        arguments: [
            ("a/report.pdf", "report.pdf", "a"), ("a/", "a", "."), ("/b", "b", "/"), ("b", "b", "."),
            ("/a/b/c/", "c", "/a/b"),
        ] as [(String, String?, String)])
    func localNamesAndTheirFolders(_ path: String, _ name: String?, _ folder: String) {
        #expect(LocalName.of(path) == name)
        #expect(LocalName.folder(of: path) == folder)
    }

    @Test(arguments: ["/", ".", "..", "", "a/.."])
    func pathsThatNameNoFileHaveNoName(_ path: String) {
        #expect(LocalName.of(path) == nil)
    }
}

import BothyClient
import Testing

@Suite struct RemotePathTests {
    @Test(arguments: [
        ("/", "/"), ("/a", "/a"), ("/a/b/", "/a/b"), ("//a//b", "/a/b"), ("/a/./b", "/a/b"), ("/a/../b", "/b"),
        ("/../../b", "/b"), ("/e\u{301}", "/é"),
    ]) func pathsAreReadAsAPersonMeansThem(typed: String, text: String) throws {
        #expect(try RemotePath(typed).text.unicodeScalars.elementsEqual(text.unicodeScalars))
    }

    @Test(arguments: ["", "a", "a/b", "/a\u{0}", "/a\nb", "/" + String(repeating: "x", count: 256)])
    func pathsThatNoFileCanHaveAreRefused(typed: String) {
        #expect { try RemotePath(typed) } throws: { ($0 as? ClientFailure)?.code == .invalidName }
    }

    @Test func aPathKnowsItsParentAndItsName() throws {
        let path = try RemotePath("/docs/report.pdf")
        #expect(path.parent.text == "/docs")
        #expect(path.name == "report.pdf")
        #expect(RemotePath.root.parent.isRoot)
        #expect(try path.parent.appending("x").text == "/docs/x")
        #expect(throws: ClientFailure.self) { try path.appending("..") }
    }
}

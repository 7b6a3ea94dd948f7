import Testing

@testable import bothy

@Suite struct RemoteArgumentTests {
    @Test(arguments: [
        ("/", "/", true), ("/a", "/a", false), ("/a/", "/a", true), ("//a///b", "/a/b", false), ("/./a/.", "/a", true),
        ("/e\u{301}", "/\u{E9}", false),
    ])
    func pathsAreReadAsTheyAreMeant(_ typed: String, _ text: String, _ saysFolder: Bool) throws {
        let path = try RemoteArgument(typed)
        #expect(path.path.text == text)
        #expect(path.saysFolder == saysFolder)
    }

    @Test(arguments: ["", "a", "a/b", "~/x", "-", "/a\u{0}b", "/a\nb", "/" + String(repeating: "x", count: 256)])
    func whatIsNoPathOnTheServerIsWrongUsage(_ typed: String) {
        let complaint = #expect(throws: Complaint.self) { try RemoteArgument(typed) }
        #expect(complaint?.status == .wrongUsage)
    }
}

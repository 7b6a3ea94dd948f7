import BothySync
import Testing

@Suite struct NodeKindTests {
    /// They are written into devices' databases.
    @Test func theirNamesNeverChange() {
        #expect(NodeKind.file.rawValue == "file" && NodeKind.folder.rawValue == "folder")
    }
}

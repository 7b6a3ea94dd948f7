import BothyClient
import BothyPresentation
import Testing

@MainActor @Suite struct NavigatorTests {
    @Test func aPersonGoesThereAndBack() {
        let navigator = Navigator()
        let docs = Destination.folder(ItemID("docs"))
        navigator.go(to: docs)
        navigator.go(to: docs)
        navigator.go(to: .file(ItemID("a")))
        navigator.back()
        #expect(navigator.state.current == docs)
        navigator.back()
        navigator.back()
        #expect(navigator.state.current == .home && !navigator.state.canGoBack)
    }

    @Test func signingInIsNoPlaceToComeBackTo() {
        let navigator = Navigator(at: .signIn)
        navigator.replace(with: .home)
        #expect(!navigator.state.canGoBack)
    }

    @Test func whatIsRememberedHasABound() {
        let navigator = Navigator()
        for number in 0..<500 { navigator.go(to: .file(ItemID("f\(number)"))) }
        #expect(navigator.state.places.count == Navigator.depth)
    }

    @Test(arguments: [
        Destination.home, .signIn, .search, .trash, .storage, .settings, .folder(ItemID("019a-b")),
        .file(ItemID("019a-b")),
        .versions(ItemID("019a-b")), .transfers, .conflicts, .conflict("f12a"), .offline, .synced,
        .restore(.root), .restore(ItemID("019a-b")), .post(7), .editPost(7), .postHistory(7), .drafts,
    ])
    func aLinkLeadsWhereItWasMade(_ destination: Destination) {
        #expect(Destination(link: destination.link) == destination)
        #expect(Destination(link: destination.link + "?from=3") == destination)
    }

    @Test(arguments: [
        "", "folder/a", "//evil.example", "/folder/", "/folder/../sign-in", "/folder/a/b", "/file/A b",
        "https://a.example/",
        "/folder/" + String(repeating: "a", count: 65), "/\\evil.example", "javascript:alert(1)",
    ])
    func aLinkFromElsewhereLeadsNowhere(_ link: String) {
        let navigator = Navigator()
        #expect(!navigator.open(link: link))
        #expect(navigator.state.places == [.home])
    }
}

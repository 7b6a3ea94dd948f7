import BothyPresentation
import Testing

@testable import BothyWeb

/// What a form came to, on its way to the next page in a cookie.
@Suite struct SaidTests {
    @Test(arguments: [
        Notice("It is done."), Notice("“Ä.b” is not there.", tone: .failure),
        Notice("The post was deleted.", subject: .deletedPost(7)), Notice("Posted.", subject: .postedDraft(1 << 52)),
    ]) func aNoticeArrivesAsItWas(_ notice: Notice) {
        #expect(Said.notice(in: Said.text(of: notice)) == notice)
    }

    @Test(arguments: ["", ".", "plain", "loud.YQ==", "plain.?", "plain.\(String(repeating: "YWFh", count: 400))"])
    func whatWasForgedSaysNothing(_ text: String) {
        #expect(Said.notice(in: text) == nil)
    }

    @Test(arguments: ["", "deleted", "deleted-", "deleted-x", "deleted-99999999999999999999", "gone-7", "deleted-7-7"])
    func whatWasForgedOfItsSubjectIsOnlySaid(_ subject: String) {
        #expect(Said.notice(in: "plain.YQ==.\(subject)") == Notice("a"))
    }
}

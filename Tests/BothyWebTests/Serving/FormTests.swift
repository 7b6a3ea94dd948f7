import HTTPTypes
import Testing

@testable import BothyWeb

@Suite struct FormTests {
    private let tokens = FormTokens(secret: Array(repeating: 7, count: 32))

    @Test func aTokenIsOfOneBrowserAndOneAccount() {
        let visit = FormTokens.newVisit()
        let token = tokens.token(visit: visit, account: "device")
        #expect(tokens.isGood(token, visit: visit, account: "device"))
        #expect(!tokens.isGood(token, visit: FormTokens.newVisit(), account: "device"))
        #expect(!tokens.isGood(token, visit: visit, account: nil))
        #expect(!tokens.isGood("", visit: visit, account: "device"))
        #expect(!tokens.isGood(String(token.dropLast(2)), visit: visit, account: "device"))
        let others = FormTokens(secret: Array(repeating: 8, count: 32))
        #expect(!others.isGood(token, visit: visit, account: "device"))
    }

    @Test func aVisitLooksLikeOne() {
        #expect(FormTokens.isVisit(FormTokens.newVisit()))
        #expect(!FormTokens.isVisit("") && !FormTokens.isVisit(String(repeating: "x", count: 32)))
    }

    @Test func aFormReadsAsItWasWritten() {
        let form = FormBody("name=a+b%26c%C3%A9&empty=&id=1&id=2&bad=%zz&lone")
        #expect(form["name"] == "a b&cé")
        #expect(form["empty"] == "" && form["lone"] == "" && form["missing"] == nil)
        #expect(form.all("id") == ["1", "2"])
        #expect(form["bad"] == "%zz")
    }

    @Test func aFormComesBackToAPageOfThisAppAlone() {
        #expect(FormBody("from=%2Ffeed%2Fsearch%3Fq%3Da%2520b").from == "/feed/search?q=a%20b")
        #expect(FormBody("from=%2Ffeed%2Ftags%2Fhut%23post-7").from == "/feed/tags/hut#post-7")
        for other in [
            "from=%2F%2Felsewhere.example%2Ffeed", "from=https%3A%2F%2Felsewhere.example", "from=", "to=%2Ffeed",
        ] {
            #expect(FormBody(other).from == nil)
        }
    }

    @Test func secretsAreForNoScriptAndNoOtherSite() {
        let plain = Cookies(
            [.cookie: "bothy-1a2b=abc; bothy=of another; bothy-order=name"],
            WebSettings(publicURL: nil, hasTLS: false, server: "1a2b"))
        #expect(plain[Cookies.ticket] == "abc" && plain[Cookies.order] == "name")
        #expect(
            plain.secret(Cookies.ticket, "x", days: 1).value
                == "bothy-1a2b=x; HttpOnly; Path=/; SameSite=Strict; Max-Age=86400")
        let secure = Cookies(
            [.cookie: "bothy-1a2b=abc; __Host-bothy-1a2b=def"],
            WebSettings(publicURL: nil, hasTLS: true, server: "1a2b"))
        #expect(secure[Cookies.ticket] == "def", "what any subdomain could have set is not believed")
        let cookie = secure.secret(Cookies.ticket, "x", days: 1).value
        #expect(cookie.hasPrefix("__Host-bothy-1a2b=x") && cookie.contains("; Secure"))
        for cookie in [secure.said("done"), secure.choice(Cookies.order, "name")] {
            #expect(cookie.value.contains("; Secure") && cookie.value.contains("SameSite=Strict"))
        }
    }
}

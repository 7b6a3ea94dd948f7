import BothyClient
import Testing

@testable import BothyAgent

/// Messages of D-Bus, byte for byte.
@Suite struct BusMessageTests {
    /// As dbus-send writes it (D-Bus specification, «Message Format»).
    @Test func aCallIsWrittenAsTheSpecificationHasIt() {
        var hello = BusMessage(
            "Hello", of: "org.freedesktop.DBus", at: "/org/freedesktop/DBus", for: "org.freedesktop.DBus")
        hello.serial = 1
        var expected: [UInt8] = [0x6C, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0x6D, 0, 0, 0]
        expected += [1, 1, 0x6F, 0, 21, 0, 0, 0] + Array("/org/freedesktop/DBus".utf8) + [0, 0, 0]
        expected += [2, 1, 0x73, 0, 20, 0, 0, 0] + Array("org.freedesktop.DBus".utf8) + [0, 0, 0, 0]
        expected += [3, 1, 0x73, 0, 5, 0, 0, 0] + Array("Hello".utf8) + [0, 0, 0]
        expected += [6, 1, 0x73, 0, 20, 0, 0, 0] + Array("org.freedesktop.DBus".utf8) + [0, 0, 0, 0]
        #expect(hello.bytes == expected)
    }

    @Test func whatIsWrittenIsReadAgain() throws {
        var message = BusMessage("Notify", of: "a.b", at: "/a", for: "c.d")
        message.serial = 77
        message.signature = "su"
        var body = BusWriter()
        body.text("ä\0b")
        body.number(9)
        message.body = body.bytes
        let read = try #require(BusMessage(message.bytes))
        #expect(read == message)
        var reader = BusReader(read.body)
        #expect(reader.text() == "äb" && reader.number() == 9 && reader.byte() == nil)
        var answer = BusMessage()
        answer.kind = .failure
        answer.answers = 77
        answer.failureName = "org.freedesktop.DBus.Error.ServiceUnknown"
        #expect(BusMessage(answer.bytes) == answer)
    }

    @Test func whatIsNoMessageIsNotTaken() {
        let whole = BusDesktop.notify(BusDesktop.Card(title: "a", text: "b")).bytes
        for count in 0..<whole.count { #expect(BusMessage(Array(whole.prefix(count))) == nil) }
        for place in 0..<whole.count {
            for value: UInt8 in [0, 1, 0x7F, 0xFF] {
                var spoilt = whole
                spoilt[place] = value
                _ = BusMessage(spoilt)
            }
        }
        #expect(BusMessage.rest(after: [0x42] + whole[1..<16]) == nil, "of the other byte order")
        #expect(BusMessage.rest(after: Array(whole[0..<4]) + [0xFF, 0xFF, 0xFF, 0xFF] + whole[8..<16]) == nil)
    }

    @Test func aNameIsNoMark() throws {
        let message = BusDesktop.notify(BusDesktop.Card(title: "<b>", text: "“<a href=x>&.txt” waits"))
        var reader = BusReader(message.body)
        #expect(reader.text() == "Bothy" && reader.number() == 0 && reader.text() == "" && reader.text() == "<b>")
        #expect(reader.text() == "“&lt;a href=x&gt;&amp;.txt” waits")
        #expect(reader.number() == 0 && reader.number() == 0)
        let padded = message.body.count - 4
        #expect(padded % 8 == 0 && message.body.suffix(4) == [0xFF, 0xFF, 0xFF, 0xFF])
    }

    @Test(
        arguments: [
            ("unix:path=/run/user/0/bus", Array("/run/user/0/bus".utf8)),
            ("unix:guid=12,path=/a%20b", Array("/a b".utf8)),
            ("unix:abstract=/tmp/x,guid=1", [0] + Array("/tmp/x".utf8)),
            ("tcp:host=localhost,port=1", nil), ("unix:tmpdir=/tmp", nil), ("", nil),
        ] as [(String, [UInt8]?)])
    func anAddressSaysWhereTheBusListens(_ address: String, _ name: [UInt8]?) {
        #expect(MessageBus.socketName(address) == name)
    }

    @Test func whereThereIsNoBusNothingHappens() async {
        for environment in [
            [:], ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nobody/here"], ["XDG_RUNTIME_DIR": "/nobody"],
        ] {
            let desktop = BusDesktop(environment: environment) { _ in BusDesktop.Card(title: "a", text: "b") }
            #expect(await desktop.isThere() == false)
            #expect(await desktop.show(.init(.signIn)) == false)
        }
    }
}

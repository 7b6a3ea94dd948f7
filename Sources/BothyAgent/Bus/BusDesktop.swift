import BothyClient

/// A desktop by its session's D-Bus (Desktop Notifications Specification 1.2). Where there is no bus, or nobody on it who
/// shows anything, nothing happens.
package final class BusDesktop: Desktop {
    /// What is shown of a notice.
    package struct Card: Equatable, Sendable {
        package var title: String
        package var text: String

        package init(title: String, text: String) {
            self.title = title
            self.text = text
        }
    }

    private static let name = "org.freedesktop.Notifications"
    private static let path = "/org/freedesktop/Notifications"

    private let address: String?
    private let words: @Sendable (DeviceNotice) -> Card
    /// A way to the bus blocks its thread.
    private let queue = DiskQueue("desktop")

    /// - Parameters:
    ///   - environment: of this process, which says where the bus is.
    ///   - words: what a notice says.
    package init(environment: [String: String], words: @escaping @Sendable (DeviceNotice) -> Card) {
        address = MessageBus.address(environment)
        self.words = words
    }

    package func isThere() async -> Bool {
        await asking { _ = try $0.call(Self.call("GetServerInformation")) }
    }

    package func show(_ notice: DeviceNotice) async -> Bool {
        let card = words(notice)
        return await asking { _ = try $0.call(Self.notify(card)) }
    }

    private func asking(_ ask: @escaping @Sendable (MessageBus) throws -> Void) async -> Bool {
        guard let address else { return false }
        // The caller is told whether it was shown; a desktop that does not answer shows nothing.
        let answer: Void? = try? await queue.run {
            let bus = try MessageBus(address: address)
            defer { bus.end() }
            try ask(bus)
        }
        return answer != nil
    }

    private static func call(_ member: String) -> BusMessage {
        BusMessage(member, of: name, at: path, for: name)
    }

    /// `Notify(app_name, replaces_id, app_icon, summary, body, actions, hints, expire_timeout)`.
    static func notify(_ card: Card) -> BusMessage {
        var message = call("Notify")
        message.signature = "susssasa{sv}i"
        var body = BusWriter()
        body.text("Bothy")
        body.number(0)
        body.text("")
        body.text(card.title)
        body.text(escaped(card.text))
        body.number(0)
        body.number(0)
        // The hints are none; where the first would begin is part of what is sent.
        body.align(8)
        body.number(UInt32(bitPattern: -1))
        message.body = body.bytes
        return message
    }

    /// A body may have marks in it: a file's name may not.
    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}

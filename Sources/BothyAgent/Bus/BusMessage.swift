/// A message of D-Bus (D-Bus specification 0.43, «Message Protocol»), little-endian. Pure.
struct BusMessage: Equatable, Sendable {
    enum Kind: UInt8, Sendable {
        case call = 1
        case answer = 2
        case failure = 3
        case signal = 4
    }

    /// Bytes of a message that is taken: what is told and answered here is short.
    static let longest = 1 << 20
    /// Bytes before the header's fields.
    static let prefixSize = 16

    /// Of a call that starts nobody to answer it: `NO_AUTO_START`.
    static let startsNobody: UInt8 = 2

    var kind = Kind.call
    var flags: UInt8 = 0
    var serial: UInt32 = 1
    /// Which message this answers.
    var answers: UInt32?
    var path: String?
    var interface: String?
    var member: String?
    var failureName: String?
    var destination: String?
    /// Of the body: `su` for a text and a number.
    var signature = ""
    var body = [UInt8]()

    init() {}

    /// A call of a method.
    init(_ member: String, of interface: String, at path: String, for destination: String) {
        self.member = member
        self.interface = interface
        self.path = path
        self.destination = destination
    }

    private enum Field: UInt8 {
        case path = 1
        case interface = 2
        case member = 3
        case failureName = 4
        case answers = 5
        case destination = 6
        case sender = 7
        case signature = 8
        case descriptors = 9
    }

    // MARK: - Writing

    var bytes: [UInt8] {
        var fields = BusWriter(at: Self.prefixSize)
        func text(_ field: Field, _ type: Character, _ value: String?) {
            guard let value else { return }
            fields.align(8)
            fields.byte(field.rawValue)
            fields.signature(String(type))
            if type == "g" { fields.signature(value) } else { fields.text(value) }
        }
        text(.path, "o", path)
        text(.interface, "s", interface)
        text(.member, "s", member)
        text(.failureName, "s", failureName)
        if let answers {
            fields.align(8)
            fields.byte(Field.answers.rawValue)
            fields.signature("u")
            fields.number(answers)
        }
        text(.destination, "s", destination)
        if !signature.isEmpty { text(.signature, "g", signature) }
        var prefix = BusWriter(at: 0)
        for byte in [UInt8(ascii: "l"), kind.rawValue, flags, 1] { prefix.byte(byte) }
        prefix.number(UInt32(body.count))
        prefix.number(serial)
        prefix.number(UInt32(fields.bytes.count))
        fields.align(8)
        return prefix.bytes + fields.bytes + body
    }

    // MARK: - Reading

    /// Bytes that come after the prefix.
    ///
    /// - Returns: nil for what is no message that can be taken.
    static func rest(after prefix: [UInt8]) -> Int? {
        var reader = BusReader(prefix)
        guard reader.byte() == UInt8(ascii: "l"), reader.skip(3), let body = reader.number(),
            reader.number() != nil,
            let fields = reader.number(), body <= longest, fields <= longest
        else { return nil }
        return (Int(fields) + 7) / 8 * 8 + Int(body)
    }

    /// - Returns: nil for what is none.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.prefixSize,
            let rest = Self.rest(after: Array(bytes.prefix(Self.prefixSize))),
            bytes.count == Self.prefixSize + rest
        else { return nil }
        var reader = BusReader(bytes)
        guard reader.skip(1), let kind = reader.byte().flatMap(Kind.init), let flags = reader.byte(), reader.skip(1),
            let body = reader.number(),
            let serial = reader.number(), let fields = reader.number()
        else { return nil }
        self.kind = kind
        self.flags = flags
        self.serial = serial
        self.body = Array(bytes.suffix(Int(body)))
        let end = Self.prefixSize + Int(fields)
        while reader.place < end {
            guard reader.align(8), let field = reader.byte(), let type = reader.signature() else {
                return nil
            }
            switch type {
            case "s", "o":
                guard let text = reader.text() else { return nil }
                take(text, Field(rawValue: field))
            case "g":
                guard let text = reader.signature() else { return nil }
                signature = text
            case "u":
                guard let number = reader.number() else { return nil }
                if Field(rawValue: field) == .answers { answers = number }
            default: return nil
            }
        }
    }

    private mutating func take(_ text: String, _ field: Field?) {
        switch field {
        case .path: path = text
        case .interface: interface = text
        case .member: member = text
        case .failureName: failureName = text
        case .destination: destination = text
        case .sender, .answers, .signature, .descriptors, nil: break
        }
    }
}

/// Writes values as D-Bus has them: each at a place that its size divides.
struct BusWriter: Sendable {
    private(set) var bytes = [UInt8]()
    /// Where the first byte will stand.
    private let start: Int

    init(at start: Int = 0) { self.start = start }

    mutating func align(_ size: Int) {
        while (start + bytes.count) % size != 0 { bytes.append(0) }
    }

    mutating func byte(_ value: UInt8) { bytes.append(value) }

    mutating func number(_ value: UInt32) {
        align(4)
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Without zero bytes, which end a text.
    mutating func text(_ value: String) {
        let utf8 = value.utf8.filter { $0 != 0 }
        number(UInt32(utf8.count))
        bytes += utf8
        bytes.append(0)
    }

    mutating func signature(_ value: String) {
        bytes.append(UInt8(value.utf8.count))
        bytes += Array(value.utf8)
        bytes.append(0)
    }
}

/// Reads them, and nothing past the end.
struct BusReader: Sendable {
    private let bytes: [UInt8]
    private(set) var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func skip(_ count: Int) -> Bool {
        place += count
        return place <= bytes.count
    }

    mutating func align(_ size: Int) -> Bool { skip((size - place % size) % size) }

    mutating func byte() -> UInt8? {
        guard place < bytes.count else { return nil }
        defer { place += 1 }
        return bytes[place]
    }

    mutating func number() -> UInt32? {
        guard align(4), place + 4 <= bytes.count else { return nil }
        defer { place += 4 }
        return bytes[place..<place + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    mutating func text() -> String? {
        guard let count = number() else { return nil }
        return take(Int(count))
    }

    mutating func signature() -> String? {
        guard let count = byte() else { return nil }
        return take(Int(count))
    }

    /// With the zero byte behind it.
    private mutating func take(_ count: Int) -> String? {
        guard count < bytes.count - place else { return nil }
        defer { place += count + 1 }
        return String(decoding: bytes[place..<place + count], as: UTF8.self)
    }
}

/// A bounded cache that forgets what was not asked for lately, in constant time: when the young generation is full it
/// becomes the old one, and the old one is dropped.
struct TwoGenerationCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let half: Int
    private var young: [Key: Value] = [:]
    private var old: [Key: Value] = [:]

    /// - Parameter capacity: entries at most, at least 2.
    init(capacity: Int) {
        precondition(capacity >= 2)
        half = capacity / 2
    }

    subscript(key: Key) -> Value? {
        mutating get {
            if let value = young[key] { return value }
            guard let value = old[key] else { return nil }
            put(key, value)
            return value
        }
        set {
            guard let newValue else {
                young[key] = nil
                old[key] = nil
                return
            }
            put(key, newValue)
        }
    }

    mutating func removeAll() {
        young = [:]
        old = [:]
    }

    private mutating func put(_ key: Key, _ value: Value) {
        if young.count >= half, young[key] == nil {
            old = young
            young = [:]
        }
        young[key] = value
    }
}

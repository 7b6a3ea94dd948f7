/// A synced folder, or a part of one, that is to be verified.
package struct VerifiedPart: Equatable, Sendable {
    package var binding: Binding
    /// A file, or a folder with all below it.
    package var place: Place

    package init(binding: Binding, place: Place) {
        self.binding = binding
        self.place = place
    }

    /// Those that lie in no other of them, each once: what is named twice is read once.
    package static func outermost(_ parts: [VerifiedPart]) -> [VerifiedPart] {
        parts.enumerated().filter { index, part in
            !parts.enumerated().contains { other, outer in
                guard outer.binding.id == part.binding.id, part.place.isWithin(outer.place) else { return false }
                return outer.place != part.place || other < index
            }
        }.map(\.element)
    }
}

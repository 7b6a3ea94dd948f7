/// One step of the schema. Numbered, and never edited once it has left the house.
package struct Migration: Sendable {
    package var number: Int
    package var name: String
    package var statements: [String]
    /// What is done afterwards, in the same transaction, where SQL alone cannot.
    package var then: @Sendable (any SQLConnection) throws -> Void

    package init(
        number: Int, name: String, statements: [String],
        then: @escaping @Sendable (any SQLConnection) throws -> Void = { _ in }
    ) {
        self.number = number
        self.name = name
        self.statements = statements
        self.then = then
    }

    /// Every migration this binary knows, in order.
    package static let all: [Migration] = [
        migration001Drives, migration002Accounts, migration003Damage, migration004History,
        migration005NameOrder, migration006Search, migration007Texts, migration008FolderCounts,
        migration009VersionAges, migration010StoredSizes, migration011BlockParameters, migration012AskedMoments,
        migration013TextLists,
        migration014Stars,
        migration015Feed,
        migration016ItemCounts,
        migration017Posts,
        migration018People,
        migration019Words,
        migration020Drafts,
        migration021Looks,
        migration022Attachments,
        migration023Faces,
        migration024Reach,
        migration025Warnings,
        migration026Outlasting,
        migration027Settling,
    ]
}

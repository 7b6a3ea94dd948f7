/// One step of the schema. Numbered, and never edited once it has left the house.
package struct Migration: Sendable {
    package var number: Int
    package var name: String
    package var statements: [String]

    package init(number: Int, name: String, statements: [String]) {
        self.number = number
        self.name = name
        self.statements = statements
    }

    /// Every migration this binary knows, in order.
    package static let all: [Migration] = [
        migration001Drives, migration002Accounts, migration003Damage, migration004History,
    ]
}

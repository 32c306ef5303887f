/// The values that may stand at a key of a table, as far as the value alone tells: what readers
/// check, listed for people's editors and for other programs.
package indirect enum ValueShape: Hashable, Sendable {
    case any
    case bool
    /// A text of at most so many bytes.
    case text(bytesMax: Int)
    /// Texts of at most so many bytes, by language.
    case texts(bytesMax: Int)
    /// A name as in topics.
    case name
    case choice([String])
    case whole(ClosedRange<Int>)
    case number(NumberRange)
    /// A list of exactly these.
    case row([ValueShape])
    /// A list of so many.
    case list(ValueShape, ClosedRange<Int>)
    /// The same, in which nothing stands twice.
    case set(ValueShape, ClosedRange<Int>)
    /// A table of any members, handed through unread.
    case content
    case table(TableShape)
    case either([ValueShape])
    /// A shape that has a name of its own, because it may stand within itself.
    case named(String)

    package static let point = row([.number(.coordinate), .number(.coordinate)])
    package static let size = row([.number(.size), .number(.size)])
    package static let rect = row([
        .number(.coordinate), .number(.coordinate), .number(.size), .number(.size),
    ])
    package static let text = text(bytesMax: TableReader.textBytesMax)
    package static let texts = texts(bytesMax: TableReader.textBytesMax)
}

/// The keys of a table, and how they depend on one another.
package struct TableShape: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        package var key: String
        package var shape: ValueShape
        /// Its default; nil: it has none.
        package var value: Node?
        /// Whether a table without it is refused.
        package var isRequired: Bool

        package init(
            _ key: String, _ shape: ValueShape, value: Node? = nil, isRequired: Bool = false
        ) {
            self.key = key
            self.shape = shape
            self.value = value
            self.isRequired = isRequired
        }

        /// One without which a table is refused.
        package static func needed(_ key: String, _ shape: ValueShape) -> Entry {
            Entry(key, shape, isRequired: true)
        }
    }

    package enum Relation: Hashable, Sendable {
        /// All of these or none.
        case together([String])
        /// None of the first beside one of the second.
        case apart([String], [String])
        /// At least one of these groups.
        case anyOf([[String]])
        /// The first only beside the second.
        case needs(String, String)
    }

    /// Other tables, one for each value of a key.
    package struct Variants: Hashable, Sendable {
        package var key: String
        /// The value where the key is absent; nil: it is required.
        package var value: String?
        package var tables: [String: TableShape]
        /// In the order in which they are told.
        package var names: [String]
    }

    package var entries: [Entry]
    package var relations: [Relation]
    package var variants: Variants?

    package init(_ entries: [Entry], _ relations: [Relation] = []) {
        self.entries = entries
        self.relations = relations
    }

    /// A table whose other keys depend on the value of one of them; `value` is its default.
    package init<Choice>(
        _ entries: [Entry], by key: String, default value: Choice?,
        _ table: (Choice) -> TableShape
    ) where Choice: RawRepresentable<String> & CaseIterable {
        self.init(entries)
        var variants = Variants(key: key, value: value?.rawValue, tables: [:], names: [])
        for choice in Choice.allCases {
            variants.names.append(choice.rawValue)
            variants.tables[choice.rawValue] = table(choice)
        }
        self.variants = variants
    }
}

import Gestures
import Notation
import Sessions

/// The contacts that are down: topic `touches/…`, and a member of frames.
enum TouchesSchemas {
    static var schema: Schema {
        Schema.record(
            "All contacts that are down: topic touches/<session>.",
            UpdateSchemas.head() + [
                .must("touches", list("#/$defs/contact"), "In the order in which they landed.")
            ]
        ).with(["$defs": ["contact": .record(nil, contact)]])
    }

    /// The member of a frame.
    static var ofFrame: Schema { list("update-touches.json#/$defs/contact") }

    private static func list(_ contact: String) -> Schema {
        Schema.list(of: .ref(contact)).with([
            "maxItems": Schema(.integer(Limits.contactsToldMax))
        ])
    }

    private static var contact: [Field] {
        [
            .must("pointer", .common("whole"), Words.events["pointer"]),
            .must("x", .number, "In points of the viewport."),
            .must("y", .number, "In points of the viewport."),
            .must(
                "kind", .choice(PointerKind.allCases.filter { $0 != .palm }.map(\.rawValue)),
                "The thing that touches."),
            .may(
                "pressure", ["type": "number", "minimum": 0, "maximum": 1],
                Words.events["pressure"]),
            .may("user", .common("name"), Words.events["user"]),
            .must(
                "color", .choice(ContactColor.all),
                "The same for all contacts of one person, or of one source."),
        ]
    }
}

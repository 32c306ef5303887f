import Notation

/// Every kind of component, in the order in which an error lists them. A new kind is one line here.
///
/// This module holds one folder for each kind. A kind is a `Machine`: a struct with an enum of
/// states and one method per event. It decides what is shown next and performs nothing. Data passes
/// in this order: a scene's table is read into `Parameters`, `Machine.init` makes the machine at
/// rest, a session hands it events and steps, it answers by `Effects`, a `StateSink` takes what it
/// shows, and `saved` is what a later process starts from. `Machine/` holds the protocol and the
/// values that cross it.
///
/// Safe to change: anything inside one folder, as long as its tests and goldens hold. The coding
/// keys of a machine and of its `Saved` are file formats.
package enum Kinds {
    package static let all: [any Machine.Type] = [
        Tips.self, Toss.self, Navigation.self, Profile.self, List.self, Reader.self, Tabs.self,
        World.self, Button.self, Label.self, Panel.self,
    ]

    /// The kind of that name in scenes; nil: there is none.
    package static func named(_ name: String) -> (any Machine.Type)? {
        all.first { $0.kind == name }
    }
}

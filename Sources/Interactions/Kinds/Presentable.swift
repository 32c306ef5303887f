/// Something that can tell what it shows: every component, to Wire and to tests.
package protocol Presentable {
    /// The machine's state, by its name on the wire.
    var phase: String { get }
    /// Tells the fields of `model`, in their order.
    func model(into sink: inout some StateSink)
    /// Tells the views that are in the hierarchy now, in their order.
    func views(into sink: inout some StateSink)
}

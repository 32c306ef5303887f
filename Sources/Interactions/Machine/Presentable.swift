/// A value that can be shown, as every component can. The wire's encoder and tests read it.
package protocol Presentable {
    /// The machine's state, by its name on the wire.
    var phase: String { get }
    /// Writes the fields of `model`, in their order.
    func model(into sink: inout some StateSink)
    /// Writes the views that are in the hierarchy now, in their order.
    func views(into sink: inout some StateSink)
}

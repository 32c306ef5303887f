import Geometry
package import Sessions

extension Reaction {
    /// A reaction with one cause and one command.
    package init(_ cause: Cause, _ order: Order, after: Double = 0) {
        let text = "\(cause) \(order.component) \(order.command) \(order.arguments) \(after)"
        self.init(
            [cause], [Action(.command(order))], after: after, mark: StableHash(text).value)
    }
}

extension Reaction {
    /// Its only action's command to a component.
    package var order: Order? {
        guard actions.count == 1, case .command(let order) = actions[0].deed else { return nil }
        return order
    }
}

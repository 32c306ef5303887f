extension List {
    /// Whether a row was tapped last, or is out of its place with its menu.
    package func isIn(_ state: PartState, _ part: ComponentPart) -> Bool {
        let row: Int?
        switch part {
        case .row(let number): row = number
        case .item(let id): row = rows.listed?.place(of: id)
        }
        guard let row else { return false }
        switch state {
        case .selected: return selected == row
        case .open:
            guard case .open(let opened) = self.state else { return false }
            return opened.row == row
        }
    }
}

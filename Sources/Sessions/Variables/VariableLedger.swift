import Notation

/// A variable of a scene: its name, and the value that it begins with.
package struct Variable: Hashable, Sendable {
    package var name: String
    package var value: VariableValue

    package init(_ name: String, _ value: VariableValue) {
        (self.name, self.value) = (name, value)
    }
}

/// The values of a session's variables, in the order of its scene.
package struct VariableLedger: Hashable, Sendable, Codable {
    package private(set) var values: [VariableValue]
    /// The version of the session's counts and variables with which these came to be.
    package private(set) var version: Int
    /// How often any value changed. The ledger of counts leaves these versions out where it asks
    /// whether a count changed.
    private(set) var changeCount: Int

    init(_ values: [VariableValue], version: Int, changeCount: Int) {
        self.values = values
        self.version = version
        self.changeCount = changeCount
    }

    /// Takes other values, where any is another one. Returns whether any was.
    mutating func take(_ values: [VariableValue], version: Int) -> Bool {
        guard values != self.values else { return false }
        self.values = values
        self.version = version
        changeCount += 1
        return true
    }

    /// The same values of another scene's variables: those of the same name and type stay.
    func carried(from former: [Variable], to next: [Variable]) -> [VariableValue] {
        next.map { variable in
            let place = former.firstIndex { $0.name == variable.name }
            let own = place.map { values[$0] }
            return own?.kind == variable.value.kind ? own ?? variable.value : variable.value
        }
    }

    /// Whether a decoded ledger could be of such a scene.
    func isSound(_ variables: [Variable]) -> Bool {
        values.map(\.kind) == variables.map(\.value.kind)
            && values.reduce(0) { $0 + $1.textBytes } <= Limits.variablesTextBytesMax
            && (0...Limits.versionImportedMax).contains(version)
            && (0...Limits.versionImportedMax).contains(changeCount)
    }
}

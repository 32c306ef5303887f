import Interactions
import Notation

extension WorldParameters {
    static let reader = ComponentReader(kind: "dynamics") { (table, viewport) throws(TableError) in
        .dynamics(try WorldParameters(&table, viewport: viewport))
    }
}

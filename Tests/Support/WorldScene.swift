package import Geometry
package import Interactions
package import Notation

extension WorldParameters {
    /// The world that a component's table describes, without its `id` and `kind`.
    package init(
        _ table: Node, viewport: Size = .phone, path: String = "component world"
    ) throws(TableError) {
        var reader = try TableReader(table, path: path)
        try self.init(&reader, viewport: viewport)
        try reader.finish()
    }
}

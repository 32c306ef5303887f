// Notation: trees of values, as scenes, commands and documents bring them.
//
// `Node` is the tree that JSON and TOML have in common. `TableReader` reads an object with known
// keys and names a wrong one by line and key (`TableError`, `nearestName`). `ValueEncoder` encodes
// any `Codable` into an `EncodingOutput`: `TreeOutput` makes a `Node`, Protocol's `JSONOutput`
// text; `NodeDecoder` is the way back, to the bit. `Name` and `NumberRange` hold the rules for
// names and numbers.
//
// The module belongs to the core: values only. The output of `ValueEncoder` is a file format.

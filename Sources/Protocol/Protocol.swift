// Protocol: the messages of the wire as bytes, without the engine behind them.
//
// `Topic` and `UpdateTopic` are the first frames of events and updates. `ByteBuffer` collects
// bytes, `ByteBuffer+JSON` and `Digits` write JSON into it, `UpdateBody` and `Reply` write the
// bodies that show no component. `Document` reads JSON and TOML into trees (`Node`, in Notation);
// `JSONScanner` finds where the parts of a JSON text stand, for all that make no tree of it;
// `JSONOutput` is the JSON side of Notation's `ValueEncoder`.
//
// The client library depends on this module, so it may use Geometry, Notation and CDocument only;
// a test in TidyTests says so. The functions that every update passes (`ByteBuffer`, `Digits`,
// `Topic`) are inlined into other modules: keep their attributes, and measure what you change.

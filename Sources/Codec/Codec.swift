// Codec: bytes to values of the engine, and back.
//
// In: `EventDecoder` reads a topic's body into an `Event`, member by member through `EventBody`.
// `SceneReader` makes scenes of texts by the core's `Scenes`, and `SceneFolder` of a folder of TOML
// files.
// Out: a session hands its updates to a `MessageSink`, which writes them by `UpdateBody`; a
// machine presents its fields to `JSONStateSink`. Both ways: `SessionDocument` is what the store
// keeps of a session, `SessionExport` is all of it.
//
// Everything here is checked before it becomes a value: errors are `Rejection`, `SceneError` and
// `SessionDocumentError`, and never traps. The documents are file formats: their keys must stay.

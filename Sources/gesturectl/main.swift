import Glibc

Console.holdStandardStreams()
let status = Tool.run(Array(CommandLine.arguments.dropFirst()))
// A feed's thread may still wait in libzmq, whose objects an orderly exit would take from it.
fflush(nil)
_exit(status)

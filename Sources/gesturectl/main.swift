import Glibc

Console.holdStandardStreams()
exit(Tool.run(Array(CommandLine.arguments.dropFirst())))

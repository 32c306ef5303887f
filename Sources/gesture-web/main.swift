import Glibc
import WebServer

exit(Lifecycle.main(Array(CommandLine.arguments.dropFirst())))

import Daemon
import Glibc

exit(Lifecycle.main(Array(CommandLine.arguments.dropFirst())))

import Glibc

/// Opens a page in the person's browser, without waiting for it.
enum PageOpener {
    /// Programs that do so: on Linux, and elsewhere.
    private static let programs = ["xdg-open", "open"]

    static func open(_ link: String) {
        for program in programs where spawn(program, link) { return }
    }

    /// Returns whether the program is there. Its words would spoil the picture.
    private static func spawn(_ program: String, _ link: String) -> Bool {
        var process = pid_t()
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for descriptor: CInt in 0...2 {
            unsafe posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        let words: [String] = [program, link]
        let copies = unsafe words.map { unsafe strdup($0) }
        defer { unsafe copies.forEach { unsafe free($0) } }
        var pointers: [UnsafeMutablePointer<CChar>?] = unsafe copies + [nil]
        return unsafe posix_spawnp(&process, program, &actions, nil, &pointers, environ) == 0
    }
}

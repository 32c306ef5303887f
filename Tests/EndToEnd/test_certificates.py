"""Certificates as the Python and the C client read them: CZMQ's files, mistakes, nonsense."""

from __future__ import annotations

import os
import pathlib
import random
import subprocess
import sys

import pytest
import zmq
import zmq.auth
from ccode import compiled
from client import REPOSITORY

sys.path.insert(0, str(REPOSITORY / "Clients" / "python" / "src"))

import gestured  # noqa: E402
from gestured import aio, endpoints  # noqa: E402
from gestured import keys as certificates  # noqa: E402

PUBLIC, SECRET = (key.decode() for key in zmq.curve_keypair())
# It has the sign of a comment, which counts within quotes.
SERVER = next(
    key for key in (zmq.curve_keypair()[0].decode() for _ in range(10_000)) if "#" in key)
NAMED = f'metadata\n    server-key = "{SERVER}"\n'
OWN = f'curve\n    public-key = "{PUBLIC}"\n    secret-key = "{SECRET}"\n'
# Reads pairs of words from standard input; says what became of them.
READER = r"""
#include "gestured.h"
#include <stdio.h>
#include <string.h>

int main(void) {
    static char line[9000];
    while (fgets(line, sizeof line, stdin)) {
        gestured_keys keys;
        line[strcspn(line, "\n")] = 0;
        char *server = strchr(line, '\t');
        *server++ = 0;
        if (gestured_load_keys(&keys, line, *server ? server : NULL))
            printf("%s\n", gestured_error(NULL));
        else
            printf("keys %s %s %s\n", keys.public_key, keys.secret_key, keys.server_key);
    }
    return 0;
}
"""


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    source = tmp_path_factory.mktemp("reader") / "reader.c"
    source.write_text(READER, encoding="utf-8")
    return compiled("certificates", source)


def by_c(reader: pathlib.Path, *pairs: tuple[object, object]) -> list[str]:
    done = subprocess.run(
        [reader], input="".join(f"{key}\t{server}\n" for key, server in pairs).encode(),
        capture_output=True, timeout=60, check=True)
    lines = done.stdout.decode(errors="replace").splitlines()
    assert len(lines) == len(pairs), done.stdout
    return lines


def by_python(key: object, server: object) -> str:
    try:
        keys = certificates.load(str(key), str(server) or None)
    except gestured.BadCertificate as error:
        return str(error)
    return f"keys {keys.public} {keys.secret} {keys.server}"


def test_files_of_other_tools_are_read(tmp_path: pathlib.Path, reader: pathlib.Path):
    for name, metadata in (("own", None), ("named", {"server-key": f'"{SERVER}"', "a": "b"})):
        zmq.auth.create_certificates(tmp_path, name, metadata)
    zmq.auth.create_certificates(tmp_path, "server")
    their = zmq.auth.load_certificate(tmp_path / "server.key")[0].decode()
    cases = [("own", SERVER, SERVER), ("own", tmp_path / "server.key", their),
             ("own", tmp_path / "server.key_secret", their), ("named", "", SERVER),
             ("named", tmp_path / "server.key", their)]
    pairs = [(tmp_path / f"{name}.key_secret", server) for name, server, _ in cases]
    for (path, server), (_, _, found), line in zip(
            pairs, cases, by_c(reader, *pairs), strict=True):
        public, secret = (key.decode() for key in zmq.auth.load_certificate(path))
        assert line == by_python(path, server) == f"keys {public} {secret} {found}"


def test_comments_quotes_and_other_sections_are_read(tmp_path: pathlib.Path, reader: pathlib.Path):
    text = (f"# one\r\n\r\nmetadata   # two\r\n\tserver-key = '{SERVER}' # three = 3\r\n"
            f"other\n    public-key = 7\ncurve\n\tpublic-key=\"{PUBLIC}\"\n"
            f"  secret-key   =   \"{SECRET}\"   # '\n\n")
    path = tmp_path / "a.key_secret"
    path.write_bytes(text.encode())
    wanted = f"keys {PUBLIC} {SECRET} {SERVER}"
    assert by_python(path, "") == wanted and by_c(reader, (path, "")) == [wanted]


MISTAKES = {
    "": "FILE: has no curve with a public-key",
    "curve\n    public-key = \"short\"\n": "FILE:2: ",
    f'curve\n    public-key = "{"#" * 40}"\n': "FILE:2: ",
    f'public-key = "{PUBLIC}"\n': "FILE:1: stands in no section",
    f'    public-key = "{PUBLIC}"\n': "FILE:1: stands in no section",
    f'curve\npublic-key = "{PUBLIC}"\n': "FILE:2: stands in no section",
    f'curve\n    public-key = "{PUBLIC}\n': "FILE:2: the value's quotation mark is not closed",
    f'curve\n    public-key = "{PUBLIC}"\n    public-key = "{PUBLIC}"\n': "FILE:3: ",
    "curve\n    other = 1\n": "FILE:2: curve has public-key and secret-key alone",
    "curve\n\n# a\n    words\n": 'FILE:4: is no `name = "value"`',
    "\x01": "FILE: is no text",
    "curve\x00": "FILE: is no text",
    "#" * (16 * 1024 + 1): "FILE: a certificate has at most 16384 bytes",
    NAMED + f'curve\n    public-key = "{PUBLIC}"\n': "FILE: has no secret-key",
    OWN: "FILE: has no server-key in its metadata",
    'metadata\n    server-key = "short"\n' + OWN: "FILE: its server-key must be the 40 characters",
    f'metadata\n    server-key = "{SERVER}x"\n' + OWN: "FILE: its server-key must be",
    NAMED + OWN.replace(PUBLIC, SERVER): "FILE: its public-key is not that of its secret-key",
}


def test_each_mistake_is_named_with_its_file_and_line(
        tmp_path: pathlib.Path, reader: pathlib.Path):
    pairs = []
    for number, text in enumerate(MISTAKES):
        pairs.append((tmp_path / f"{number}.key_secret", ""))
        pairs[-1][0].write_bytes(text.encode())
    for (path, _), wanted, said in zip(
            pairs, MISTAKES.values(), by_c(reader, *pairs), strict=True):
        for message in (said, by_python(path, "")):
            assert message.startswith(wanted.replace("FILE", str(path))), message
            assert SECRET not in message and PUBLIC not in message


def test_what_is_no_file_is_named(tmp_path: pathlib.Path, reader: pathlib.Path):
    own, bad = tmp_path / "own.key_secret", tmp_path / "bad.key"
    own.write_text(OWN, encoding="utf-8")
    bad.write_text("curve\n    nothing\n", encoding="utf-8")
    pairs = [(tmp_path / "none", ""), (tmp_path, ""), (own, tmp_path / "none"), (own, bad),
             (own, SERVER[:39]), ("/dev/zero", SERVER), (tmp_path / ("n" * 5000), "")]
    wanted = ["none: cannot be read: No such file", "cannot be read: Is a directory",
              "none: cannot be read: No such file", "bad.key:2: ", "cannot be read: No such file",
              "/dev/zero: a certificate has at most", ""]
    for pair, part, said in zip(pairs, wanted, by_c(reader, *pairs), strict=True):
        assert part in said and part in by_python(*pair), (said, by_python(*pair))


def test_a_path_that_looks_like_a_key_is_a_path(
        tmp_path: pathlib.Path, reader: pathlib.Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    pathlib.Path("own").write_text(OWN)
    path = pathlib.Path("k" * 40)
    path.write_text(f'curve\n    public-key = "{SERVER}"\n')
    for server in [path, SERVER]:
        expected = f"keys {PUBLIC} {SECRET} {SERVER}"
        assert by_python("own", server) == expected
        assert by_c(reader, ("own", server)) == [expected]


def test_broken_certificates_are_survived(tmp_path: pathlib.Path, reader: pathlib.Path):
    """Both clients say the same of each: keys, or a mistake."""
    seed = int(os.environ.get("FUZZ_SEED", "20"))
    chance = random.Random(seed)
    pieces = ["", "\n", "=", '"', "'", "#", "    ", "\t", "curve", "metadata\n", "x" * 300, "é",
              "\r", "=" * 50, '""', PUBLIC, "public-key", "\n\n    secret-key = "]
    pairs = []
    for number in range(int(os.environ.get("FUZZ_EXAMPLES", "50")) * 4):
        text = NAMED + OWN
        for _ in range(chance.randint(1, 4)):
            at = chance.randint(0, len(text))
            to = min(len(text), at + chance.choice((0, 1, 5, 40)))
            text = text[:at] + chance.choice(pieces) + text[to:]
        path = tmp_path / f"{number}"
        path.write_bytes(text.encode())
        pairs.append((path, ""))
    for pair, said in zip(pairs, by_c(reader, *pairs), strict=True):
        python = by_python(*pair)
        assert python.startswith("keys ") == said.startswith("keys "), (seed, said, python)


def test_the_environment_names_the_keys(
        tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch):
    for name in ("EVENTS", "UPDATES", "CONTROL"):
        monkeypatch.delenv(f"GESTURED_{name}", raising=False)
    path = tmp_path / "own.key_secret"
    path.write_text(OWN, encoding="utf-8")
    monkeypatch.setenv("GESTURED_SERVER_KEY", SERVER)
    with pytest.raises(ValueError, match="no key"):
        gestured.connect()
    monkeypatch.setenv("GESTURED_KEY", str(path))
    found = endpoints.endpoints().keys
    assert (found.public, found.server) == (PUBLIC, SERVER) and SECRET not in repr(found)
    monkeypatch.setenv("GESTURED_KEY", str(tmp_path / "none"))
    for connect in (gestured.connect, aio.connect):
        with pytest.raises(gestured.BadCertificate, match="none: cannot be read"):
            connect()
    # An argument goes before; where no endpoint needs keys, none is read.
    other = zmq.curve_keypair()[0].decode()
    assert endpoints.endpoints(key=path, server_key=other).keys.server == other
    assert endpoints.endpoints("ipc:///a", "ipc:///b", "ipc:///c").keys is None
    mixed = endpoints.endpoints("ipc:///a", key=path)
    assert mixed.keys_for("ipc:///a") is None and mixed.keys_for("tcp://a:1") == mixed.keys

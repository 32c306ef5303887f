"""Opens a page in the browser, clicks what a selector names, and waits for a text.

`look.py URL TEXT [SELECTOR]` is a command for documents' shells, which have a network of their own.
"""

from __future__ import annotations

import sys

from browser import Browser


def main(url: str, text: str, *selectors: str) -> None:
    with Browser() as browser:
        browser.open(url)
        for selector in selectors:
            browser.run("document.querySelector(args[0]).click()", selector)
        browser.until("document.body.textContent.includes(args[0])", text)
        errors = [one for one in browser.errors() if "favicon.ico" not in one]
        assert not errors, errors


if __name__ == "__main__":
    main(*sys.argv[1:])

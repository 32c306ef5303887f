"""Formats figures for the page."""

from __future__ import annotations

import statistics


def verdict(is_met: bool) -> str:
    return "met" if is_met else "**MISSED**"


def spread(values: list[float], form: str) -> str:
    """The median, with the least and the greatest value."""
    low, middle, high = (
        format(value, form) for value in (min(values), statistics.median(values), max(values)))
    return f"{middle} ({low} … {high})"


def bullets(lines) -> str:
    return "\n".join(f"- {line}" for line in lines)


def profile(lines: list[str]) -> list[str]:
    if not lines:
        return []
    return ["Where the time goes:", "```\n" + "\n".join(lines) + "\n```"]

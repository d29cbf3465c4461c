"""Faults of the first screen of a page at 1280 x 900."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page


def first_screen_of(page: Page) -> list[str]:
    """Parts of the first screen below its edge, wider than their boxes, or over a neighbour."""
    found: list[str] = page.evaluate(_WRONG)
    return found


_WRONG = """
() => {
  const first = document.querySelector('#summary');
  const faults = first ? [] : ['there is none'];
  if (first.getBoundingClientRect().bottom > 900)
    faults.push(`it ends at ${first.getBoundingClientRect().bottom}`);
  for (const each of first.querySelectorAll('*'))
    if (each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).display !== 'inline')
      faults.push(`too wide: ${each.outerHTML.slice(0, 120)}`);
  const tiles = [...first.querySelectorAll('.tile')].map((each) => each.getBoundingClientRect());
  tiles.forEach((a, i) => tiles.slice(i + 1).forEach((b) => {
    if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1) faults.push('tiles overlap');
  }));
  if (!tiles.length) faults.push('no tiles');
  return faults;
}
"""

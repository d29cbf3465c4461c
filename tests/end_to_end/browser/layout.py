"""The layout of a page in a browser: visible words, and texts that are cut or overlap."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

# Texts in sight with their boxes, each box as far as its scrollers show it.
_TEXTS = """
const shown = (each) => each.checkVisibility({ visibilityProperty: true, opacityProperty: true });
const clips = (style) => /auto|scroll|hidden|clip/.test(style.overflowX + style.overflowY);
function clipped(element, rect) {
  let { left, right, top, bottom } = rect;
  for (let each = element; each && each !== document.documentElement; each = each.parentElement) {
    const style = getComputedStyle(each);
    if (style.clipPath !== 'none') return null;
    if (!clips(style)) continue;
    const box = each.getBoundingClientRect();
    left = Math.max(left, box.left); right = Math.min(right, box.right);
    top = Math.max(top, box.top); bottom = Math.min(bottom, box.bottom);
  }
  return right - left > 0 && bottom - top > 0 ? { left, right, top, bottom } : null;
}
function texts() {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
  while (walker.nextNode()) {
    const node = walker.currentNode, element = node.parentElement;
    if (!node.data.trim() || element.closest('script, style, .skip') || !shown(element)) continue;
    if (element.closest('svg')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const boxes = [...range.getClientRects()].map((rect) => clipped(element, rect)).filter(Boolean);
    if (boxes.length) found.push({ node, element, boxes });
  }
  return found;
}
const name = (each) => `${each.tagName.toLowerCase()}${each.id ? '#' + each.id : ''}` +
  `${typeof each.className === 'string' && each.className ? '.' + each.className : ''}`;
"""

_WORDS = (
    "() => {"
    + _TEXTS
    + """
  return texts().flatMap(({ node }) => node.data.split(/\\s+/).filter(Boolean)).length;
}"""
)

_FAULTS = (
    "() => {"
    + _TEXTS
    + """
  const faults = [], width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width) faults.push('the page is wider than it');
  for (const each of document.querySelectorAll('body *')) {
    if (each.closest('svg, script, style, .skip, #live') || !shown(each)) continue;
    const style = getComputedStyle(each);
    if (style.clipPath !== 'none' || style.display === 'inline' || !each.clientWidth) continue;
    const wider = each.scrollWidth > each.clientWidth + 1;
    // A shadow shows that there is more, and so does an ellipsis if the title has the whole name.
    const signed = /auto|scroll/.test(style.overflowX)
      ? /gradient/.test(style.backgroundImage) : style.textOverflow === 'ellipsis' && each.title;
    if (wider && !signed && !each.querySelector(':scope > caption'))
      faults.push(`${name(each)} is ${each.scrollWidth} wide in ${each.clientWidth}: ` +
        each.textContent.trim().slice(0, 60));
    if (/hidden|clip/.test(style.overflowY) && each.scrollHeight > each.clientHeight + 1)
      faults.push(`${name(each)} cuts its text: ${each.textContent.trim().slice(0, 60)}`);
  }
  const every = texts().flatMap(({ node, element, boxes }) =>
    boxes.map((box) => ({ ...box, node, element })));
  for (const one of every)
    if (one.right > width + 1 || one.left < -1)
      faults.push(`outside the window: ${one.node.data.trim().slice(0, 60)}`);
  every.sort((a, b) => a.top - b.top);
  const start = (each) => each.node.data.trim().slice(0, 40);
  const fixed = (each) => Boolean(each.closest('nav'));
  every.forEach((a, i) => {
    for (let k = i + 1; k < every.length && every[k].top < a.bottom - 4; k++) {
      const b = every[k];
      if (a.node === b.node || fixed(a.element) !== fixed(b.element)) continue;
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (across > 2 && down > 4)
        faults.push(`${start(a)} lies over ${start(b)}`);
    }
  });
  return [...new Set(faults)];
}"""
)

_SCROLLED = """() => [...document.querySelectorAll('#scores *')]
  .filter((each) => /auto|scroll/.test(getComputedStyle(each).overflowX))
  .filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.className)"""


def count_words(page: Page) -> int:
    """How many words are in sight, those of the navigation included, of pictures not."""
    return int(page.evaluate(_WORDS))


def faults_of(page: Page) -> list[str]:
    """Texts wider than their box or the window, cut, or overlapping."""
    found: list[str] = page.evaluate(_FAULTS)
    return found


def scrolled_scores(page: Page) -> list[str]:
    """Parts of the score card that are visible only after scrolling sideways."""
    found: list[str] = page.evaluate(_SCROLLED)
    return found


def unfold_all(page: Page) -> None:
    """Open everything."""
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")

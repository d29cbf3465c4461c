// The report's behaviour: sortable tables, colours, links. Without it the page is complete, but still.
"use strict";
(() => {
  const root = document.documentElement;
  root.classList.add("js");
  const live = document.getElementById("live");
  const say = (text) => { live.textContent = text; };
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  // Everything large lies compressed in the page: four bytes in five digits of base 85 (RFC 1924,
  // with "," and "." in the places of "<" and "&").
  const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%.()*+-;,=>?@^_`{|}~";
  function decode(text) {
    const value = new Uint8Array(128), short = (5 - (text.length % 5)) % 5, padded = text + "~".repeat(short);
    const view = new DataView(new ArrayBuffer((padded.length / 5) * 4));
    for (let i = 0; i < 85; i++) value[digits.charCodeAt(i)] = i;
    for (let i = 0; i < padded.length; i += 5) {
      let word = 0;
      for (let k = 0; k < 5; k++) word = word * 85 + value[padded.charCodeAt(i + k)];
      view.setUint32((i / 5) * 4, word);
    }
    return new Uint8Array(view.buffer, 0, view.byteLength - short);
  }
  async function unpack(id) {
    const stream = new Blob([decode(document.getElementById(id).textContent)]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).text();
  }
  const canUnpack = "DecompressionStream" in window;
  const packed = canUnpack ? unpack("packed").then(JSON.parse) : Promise.resolve({});

  // Colours: as the system, or as chosen; a choice is kept where the browser allows it.
  const themes = { "": "as the system", light: "light", dark: "dark" };
  const button = document.getElementById("theme");
  function remember(theme) { try { localStorage.setItem("heorot-theme", theme); } catch { /* not allowed in files */ } }
  function recall() { try { return localStorage.getItem("heorot-theme") || ""; } catch { return ""; } }
  function setTheme(theme) {
    if (theme) root.dataset.theme = theme; else delete root.dataset.theme;
    button.setAttribute("aria-label", `Colours: ${themes[theme]}`);
    button.title = `Colours: ${themes[theme]}`;
  }
  setTheme(recall() in themes ? recall() : "");
  button.addEventListener("click", () => {
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    const order = dark ? ["", "light", "dark"] : ["", "dark", "light"];
    const next = order[(order.indexOf(root.dataset.theme || "") + 1) % 3];
    remember(next); setTheme(next); say(`Colours: ${themes[next]}`);
  });

  // One picture of all that is shown, with the rules and the colours that it has in the page.
  window.savePictures = (pictures, name) => {
    const make = (tag) => document.createElementNS("http://www.w3.org/2000/svg", tag), whole = make("svg"), sheet = make("style"), rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]), style = getComputedStyle(document.documentElement);
    let top = 0, width = 0;
    whole.append(...all(".markers > defs").map((each) => each.cloneNode(true)));
    for (const svg of pictures) {
      const copy = svg.cloneNode(true), view = svg.viewBox.baseVal;
      all(".off, .here", copy).forEach((each) => each.remove());
      for (const [key, value] of Object.entries({ x: 0, y: top, width: view.width, height: view.height })) copy.setAttribute(key, value);
      whole.append(copy);
      top += view.height + 6; width = Math.max(width, view.width);
    }
    const colours = [...rules[0].style].filter((each) => each.startsWith("--")).map((each) => `${each}: ${style.getPropertyValue(each).trim()};`).join(" ");
    const used = rules.filter((rule) => rule.selectorText && whole.querySelector(rule.selectorText)).map((rule) => rule.cssText);
    sheet.textContent = [`svg { ${colours} background: var(--paper); }`, ...used].join("\n");
    whole.prepend(sheet);
    for (const [key, value] of Object.entries({ viewBox: `0 0 ${width} ${top}`, width, height: top })) whole.setAttribute(key, value);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(whole)], { type: "image/svg+xml" }));
    link.download = `${name}.svg`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };

  // Tables
  for (const heading of all(".table thead th")) {
    const button = document.createElement("button");
    button.type = "button"; button.className = "sort"; button.append(...heading.childNodes);
    heading.append(button);
  }
  function cellValue(row, i) { // the number that is sorted by stands alone or opens what is copied
    const cell = row.cells[i], { n, c } = cell.dataset, number = Number(n ?? c?.split("\t")[0]);
    return Number.isNaN(number) ? cell.textContent : number;
  }
  function order(a, b) {
    if (typeof a === "number" && typeof b === "number") return a - b;
    if (typeof a === "number") return -1;
    if (typeof b === "number") return 1;
    return a.localeCompare(b, "en", { numeric: true });
  }
  function sort(heading) {
    const table = heading.closest("table"), i = heading.cellIndex, down = heading.getAttribute("aria-sort") === "ascending";
    all("th[aria-sort]", table).forEach((each) => each.removeAttribute("aria-sort"));
    heading.setAttribute("aria-sort", down ? "descending" : "ascending");
    const rows = [...table.tBodies[0].rows].map((row) => [cellValue(row, i), row]);
    rows.sort((a, b) => (down ? order(b[0], a[0]) : order(a[0], b[0])));
    table.tBodies[0].append(...rows.map(([, row]) => row));
    say(`Sorted by ${heading.textContent}, ${down ? "descending" : "ascending"}`);
  }
  async function unfold(table) {
    if (!("packed" in table.dataset)) return;
    const rows = (await packed)[table.id];
    if (!rows) return;
    delete table.dataset.packed;
    table.tBodies[0].innerHTML = rows;
    all(`.unfold[data-table="${table.id}"]`).forEach((each) => each.remove());
    all(`input[data-table="${table.id}"]`).forEach((each) => { each.parentElement.hidden = false; });
    say(`${table.tBodies[0].rows.length} rows`);
  }
  function asText(table) {
    const line = (cells) => cells.map((cell) => cell.dataset.c ?? cell.dataset.n ?? cell.textContent.trim().replace(/\s+/g, " ")).join("\t");
    return all("tr", table).filter((row) => !row.hidden).map((row) => line([...row.cells])).join("\n") + "\n";
  }
  async function copy(text) {
    try { await navigator.clipboard.writeText(text); } catch {
      const area = document.createElement("textarea");
      area.value = text; document.body.append(area); area.select(); document.execCommand("copy"); area.remove();
    }
  }
  document.addEventListener("click", async (event) => {
    const target = event.target.closest("button");
    if (!target) return;
    if (target.matches(".sort")) sort(target.closest("th"));
    const table = target.dataset.table && document.getElementById(target.dataset.table);
    if (target.matches(".unfold")) await unfold(table);
    if (target.matches(".copy")) {
      await unfold(table);
      await copy(asText(table));
      const before = target.textContent;
      target.textContent = "Copied"; say("Table copied");
      setTimeout(() => { target.textContent = before; }, 1500);
    }
  });
  document.addEventListener("input", (event) => {
    if (!event.target.matches(".filter input")) return;
    const words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of document.getElementById(event.target.dataset.table).tBodies[0].rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
    }
  });

  // Links lead into folded and packed tables too.
  async function follow() {
    const id = decodeURIComponent(location.hash.slice(1));
    if (!id) return;
    if (!document.getElementById(id)) {
      const tables = await packed;
      const name = Object.keys(tables).find((each) => tables[each].includes(`id="${id}"`));
      if (name) await unfold(document.getElementById(name));
    }
    const target = document.getElementById(id);
    if (!target) return;
    for (let each = target.closest("details"); each; each = each.parentElement.closest("details")) each.open = true;
    if (location.hash.slice(1) === id) { location.replace(`#${id}`); target.scrollIntoView({ block: "center" }); }
  }
  addEventListener("hashchange", follow);
  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#"]');
    if (link && link.hash === location.hash) follow();
  });

  // Paper shows what is open: everything after one click.
  if (all("main details").length) {
    const unfolding = document.createElement("button");
    unfolding.type = "button"; unfolding.id = "unfold-all"; unfolding.textContent = "Unfold all";
    unfolding.addEventListener("click", () => {
      const open = unfolding.textContent === "Unfold all";
      all("main details").forEach((each) => { each.open = open; });
      unfolding.textContent = open ? "Fold all" : "Unfold all";
    });
    button.before(unfolding);
  }

  follow();
})();

// The report's behaviour: figures, sortable tables, colours. Without it the page is complete, but still.
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
  const packed = canUnpack ? unpack("packed").then(JSON.parse) : Promise.resolve({ figures: {}, tables: {} });

  // Colours: as the system, or as chosen; a choice is kept where the browser allows it.
  const themes = { "": "as the system", light: "light", dark: "dark" };
  const button = document.getElementById("theme");
  const redraws = [];
  function remember(theme) { try { localStorage.setItem("heorot-theme", theme); } catch { /* not allowed in files */ } }
  function recall() { try { return localStorage.getItem("heorot-theme") || ""; } catch { return ""; } }
  function setTheme(theme) {
    if (theme) root.dataset.theme = theme; else delete root.dataset.theme;
    button.setAttribute("aria-label", `Colours: ${themes[theme]}`);
    button.title = `Colours: ${themes[theme]}`;
    redraws.forEach((redraw) => redraw());
  }
  setTheme(recall() in themes ? recall() : "");
  button.addEventListener("click", () => {
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    const order = dark ? ["", "light", "dark"] : ["", "dark", "light"];
    const next = order[(order.indexOf(root.dataset.theme || "") + 1) % 3];
    remember(next); setTheme(next); say(`Colours: ${themes[next]}`);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => redraws.forEach((redraw) => redraw()));

  // Figures
  const colour = (name) => getComputedStyle(root).getPropertyValue(name).trim();
  const font = () => ({ family: getComputedStyle(document.body).fontFamily, size: 11, color: colour("--muted") });
  const letters = (text) => text.match(/&\w+;|./gsu) ?? [];
  // Texts are measured in the fonts that the reader has; those of bars are larger, some of them bold.
  const pen = document.createElement("canvas").getContext("2d");
  const entities = { "&lt;": "<", "&gt;": ">", "&amp;": "&" };
  function measure(text, size = 11, weight = 400) {
    pen.font = `${weight} ${size}px ${font().family}`;
    return pen.measureText(letters(text).map((each) => entities[each] ?? each).join("")).width;
  }
  const widest = (texts, size, weight) => Math.max(0, ...texts.map((text) => measure(text, size, weight))) + 14;
  // What is too long is cut; it stands in full in what the pointer shows.
  function fit(text, room, size, weight) {
    if (measure(text, size, weight) <= room) return text;
    const each = letters(text);
    while (each.length > 1 && measure(`${each.join("").trimEnd()}…`, size, weight) > room) each.pop();
    return `${each.join("").trimEnd()}…`;
  }
  // As on paper: the pattern lies over the colour, in the colour of the page.
  const pattern = (shape, solidity) => () => ({ shape, solidity, size: 6, fillmode: "overlay", fgcolor: colour("--paper"), fgopacity: 1 });
  const patterns = { lines: pattern("/", 0.35), dots: pattern(".", 0.35) };
  const suffix = (i) => (i ? String(i + 1) : "");

  function arrange(spec, width, chosen) {
    const panels = chosen === null ? spec.panels.map((_, i) => i) : [chosen];
    const bars = spec.nBars > 0, n = panels.length;
    const columns = bars ? 1 : Math.max(1, Math.min(n <= 3 ? n : 4, Math.floor(width / (width < 520 ? 165 : 230))));
    const rows = Math.ceil(n / columns), titled = n > 1 || spec.panels[panels[0]];
    const top = titled ? 24 : 8, gap = 16, lower = bars ? 26 : 14;
    const tall = bars ? Math.max(70, spec.nBars * 19 + 24) : n === 1 ? Math.max(240, Math.min(360, width * 0.36)) : columns <= 2 ? 190 : 150;
    const behind = [...spec.ends, ...spec.traces.flatMap((trace) => trace.meta.labels ?? [])];
    const left = Math.min(width * 0.4, widest(spec.y.ticktext, bars ? 12 : 11)), right = bars ? widest(behind, 12, 700) : 10, bottom = bars ? 26 : 42;
    const height = rows * (tall + top + lower) - lower + bottom;
    const innerWidth = width - left - right, innerHeight = height - bottom;
    const layout = {
      width, height, margin: { l: left, r: right, t: 0, b: bottom, pad: 0 }, font: font(), showlegend: false, barmode: spec.stacked ? "stack" : "overlay",
      paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", hovermode: "closest", dragmode: "zoom", annotations: [],
      modebar: { bgcolor: "rgba(0,0,0,0)", color: colour("--muted"), activecolor: colour("--ink") },
      hoverlabel: { bgcolor: colour("--raised"), bordercolor: colour("--rule"), font: { ...font(), color: colour("--ink"), size: 12 }, align: "left" },
    };
    const room = innerWidth / columns / (widest(spec.x.ticktext) + 14);
    const step = Math.max(1, Math.ceil(spec.x.tickvals.length / Math.max(1, room)));
    const thin = (list) => list.filter((_, i) => i % step === 0);
    panels.forEach((_, k) => {
      const column = k % columns, row = Math.floor(k / columns), w = (innerWidth - gap * (columns - 1)) / columns;
      const low = 1 - (row * (tall + top + lower) + top + tall) / innerHeight;
      const shared = { gridcolor: colour("--grid"), zeroline: false, linecolor: colour("--muted"), tickfont: font(), exponentformat: "SI", fixedrange: bars };
      const x0 = (column * (w + gap)) / innerWidth;
      layout["xaxis" + suffix(k)] = { ...shared, type: spec.x.type, range: [...spec.x.range], tickmode: "array", tickvals: thin(spec.x.tickvals), ticktext: thin(spec.x.ticktext),
        domain: [x0, Math.min(1, x0 + w / innerWidth)], anchor: "y" + suffix(k), showticklabels: bars || k + columns >= n, showline: !bars, tickangle: 0, ...(k ? { matches: "x" } : {}) };
      layout["yaxis" + suffix(k)] = { ...shared, type: spec.y.type, range: [...spec.y.range], tickmode: "array", tickvals: spec.y.tickvals, ticktext: spec.y.ticktext.map((text) => fit(text, left - 8, bars ? 12 : 11)), ...(bars ? { tickfont: { ...font(), color: colour("--ink"), size: 12 } } : {}),
        domain: [Math.max(0, low), Math.min(1, low + tall / innerHeight)], anchor: "x" + suffix(k), showticklabels: column === 0, showgrid: !bars, ...(k ? { matches: "y" } : {}) };
      if (titled) layout.annotations.push({ text: `<b>${fit(spec.panels[panels[k]], bars ? width - left : w, 12, 700)}</b>`, font: { ...font(), color: colour("--ink"), size: 12 }, showarrow: false,
        x: x0, xref: "paper", xanchor: "left", y: low + (tall + 1) / innerHeight, yref: "paper", yanchor: "bottom" });
    });
    if (spec.xTitle && !bars) layout.annotations.push({ text: spec.xTitle, font: font(), showarrow: false, x: 1, xref: "paper", xanchor: "right", y: 0, yref: "paper", yanchor: "top", yshift: -22 });
    return { layout, panels };
  }

  function dress(spec, panels, hidden, layout) {
    const traces = [];
    const label = (text, y, yref) => layout.annotations.push({ text: `<b>${text}</b>`, font: { ...font(), color: colour("--ink"), size: 12 }, showarrow: false, x: 1, xref: "paper", xanchor: "left", xshift: 6, y, yref, yanchor: "middle" });
    spec.ends.forEach((text, i) => label(text, i, "y"));
    if (spec.ceiling !== null) panels.forEach((_, k) => {
      const ends = spec.x.range.map((x) => (spec.x.type === "log" ? 10 ** x : x));
      traces.push({ type: "scatter", mode: "lines", x: ends, y: [spec.ceiling, spec.ceiling], xaxis: "x" + suffix(k), yaxis: "y" + suffix(k), hoverinfo: "skip", line: { color: colour("--ink"), width: 1, dash: "dot" } });
    });
    for (const trace of spec.traces) {
      const k = panels.indexOf(trace.meta.panel);
      if (k < 0 || hidden.has(trace.meta.style)) continue;
      const ink = colour(`--s${trace.meta.style}`), axes = { xaxis: "x" + suffix(k), yaxis: "y" + suffix(k) };
      const name = [spec.panels[trace.meta.panel], trace.name].filter(Boolean).join(", ");
      const hover = (field) => `${name ? `<b>${name}</b><br>` : ""}%{${field}}<extra></extra>`;
      if (trace.type === "bar") {
        traces.push({ ...trace, ...axes, marker: { color: ink, opacity: trace.meta.disturbed.map((bad) => (bad ? 0.3 : 1)), line: { color: spec.stacked ? colour("--paper") : ink, width: 1 }, ...(trace.meta.pattern ? { pattern: patterns[trace.meta.pattern]() } : {}) }, ...(trace.error_x ? { error_x: { ...trace.error_x, color: colour("--ink"), thickness: 1.2, width: 3 } } : {}), hovertemplate: hover("hovertext") });
        trace.meta.labels.forEach((text, i) => label(text, trace.y[i], axes.yaxis));
      } else if (trace.meta.ceiling) {
        traces.push({ ...trace, ...axes, marker: { ...trace.marker, color: colour("--ink"), line: { width: 2.5 } }, hovertemplate: "%{text}<extra></extra>" });
      } else {
        traces.push({ ...trace, ...axes, line: { width: 1.6, ...trace.line, color: ink }, marker: { ...trace.marker, color: ink, size: panels.length > 3 ? 4 : 6 }, error_y: { ...trace.error_y, color: ink, thickness: 1, width: 0 }, hovertemplate: hover(trace.hovertext ? "hovertext" : "text") });
      }
    }
    return traces;
  }

  function connect(figure, spec) {
    const plot = figure.querySelector(".plot"), hidden = new Set();
    let chosen = null, width = 0;
    const config = { displaylogo: false, displayModeBar: "hover", responsive: false, modeBarButtons: [["toImage"], ["zoom2d", "pan2d", "resetScale2d"]], toImageButtonOptions: { format: "svg", filename: spec.id } };
    function redraw() {
      if (!width) return undefined;
      const { layout, panels } = arrange(spec, width, chosen);
      return Plotly.react(plot, dress(spec, panels, hidden, layout), layout, config);
    }
    const start = () => {
      width = figure.clientWidth;
      const done = redraw();
      if (done) done.then(() => figure.classList.add("live"));
    };
    start();
    // Our ticks fit the whole range; in a closer look Plotly's fit better.
    plot.on("plotly_relayout", (event) => {
      const keys = Object.keys(event).filter((key) => /^[xy]axis\d*\.range\[0\]$/.test(key));
      const change = {};
      for (const key of keys) {
        const axis = key.split(".")[0], spot = axis[0] === "x" ? spec.x : spec.y;
        const mode = Math.abs(event[key] - spot.range[0]) < 1e-9 * (1 + Math.abs(spot.range[0])) ? "array" : "auto";
        for (const name of Object.keys(plot.layout)) if (name.startsWith(axis.slice(0, 5)) && plot.layout[name].tickmode !== mode) change[`${name}.tickmode`] = mode;
      }
      if (Object.keys(change).length) Plotly.relayout(plot, change);
    });
    redraws.push(redraw);
    new ResizeObserver(() => {
      if (figure.clientWidth && Math.abs(figure.clientWidth - width) > 4 && !matchMedia("print").matches) start();
    }).observe(figure);
    for (const key of all(".key", figure)) key.addEventListener("click", () => {
      const style = Number(key.dataset.style), on = hidden.has(style);
      if (on) hidden.delete(style); else hidden.add(style);
      key.setAttribute("aria-pressed", String(on)); redraw();
    });
    const pick = figure.querySelector("select");
    if (pick) pick.addEventListener("change", () => { chosen = pick.value === "" ? null : Number(pick.value); redraw(); });
  }

  let printing = false;
  async function drawFigures() {
    const figures = all("figure[data-figure]");
    if (!figures.length || !canUnpack) { root.dataset.figures = "static"; return; }
    const [{ figures: specs }, source] = await Promise.all([packed, unpack("plotly")]);
    const script = document.createElement("script");
    script.textContent = source;
    document.head.append(script);
    for (const figure of figures) {
      const draw = () => connect(figure, specs[figure.dataset.figure]);
      const folder = figure.closest("details:not([open])");
      if (folder) { // what is folded is drawn when it is opened; paper has its own pictures
        const opened = () => { if (folder.open && !printing) { folder.removeEventListener("toggle", opened); draw(); } };
        folder.addEventListener("toggle", opened);
        continue;
      }
      draw();
      await new Promise((resume) => { setTimeout(resume); }); // the page stays responsive meanwhile
    }
    root.dataset.figures = "drawn";
  }

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
    const rows = (await packed).tables[table.id];
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
      const { tables } = await packed;
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

  // Paper shows everything that is folded.
  let closed = [];
  addEventListener("beforeprint", () => { printing = true; closed = all("details:not([open])"); closed.forEach((each) => { each.open = true; }); });
  addEventListener("afterprint", () => { closed.forEach((each) => { each.open = false; }); closed = []; setTimeout(() => { printing = false; }); });

  drawFigures().then(follow);
})();

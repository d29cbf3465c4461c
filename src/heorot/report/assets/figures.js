// What figures can do besides being seen: tell values, look closer, hide series, be saved as pictures.
// All of it is in the pictures: `data-t` and titles tell of marks, `data-x` and `data-y` of axes.
"use strict";
(() => {
  const live = document.getElementById("live");
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const clamp = (x, low, high) => Math.min(high, Math.max(low, x));
  const round = (x) => Math.round(x * 100) / 100, sides = ["x", "y"];
  function make(name, attributes, text = "") {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.textContent = text;
    return element;
  }
  const tip = Object.assign(document.createElement("div"), { id: "tip", hidden: true });
  document.body.append(tip);

  // An axis is `kind|low|high|value=text|...`; the ends of a logarithmic one are exponents.
  function readAxis(text) {
    const [kind, low, high, ...ticks] = text.split("|");
    return { kind, ends: [Number(low), Number(high)], binary: /iB/.test(text), ticks: ticks.map((each) => {
      const cut = each.indexOf("="), value = Number(each.slice(0, cut));
      return { at: kind === "log" ? Math.log10(value) : value, value, text: each.slice(cut + 1) };
    }) };
  }
  // A value in a unit that the axis has, with the digits that the step needs.
  function print(axis, value, step) {
    if (Math.abs(value) < step * 1e-6) return "0";
    const units = axis.ticks.filter((tick) => tick.value && /\d/.test(tick.text)).map((tick) => {
      const [, number, name] = tick.text.match(/([\d.\u202f]+)(.*)$/);
      return { size: Math.abs(tick.value) / Number(number.replaceAll("\u202f", "")), name };
    }).sort((a, b) => a.size - b.size);
    if (!units.length) return null;
    const unit = units.findLast(({ size }) => size <= Math.abs(value) * (1 + 1e-6)) ?? units[0];
    const digits = clamp(Math.floor(Math.log10(Math.abs(value))) - Math.floor(Math.log10(step)) + 1, 1, 12) + 2 * axis.binary;
    return `${value < 0 ? "−" : ""}${Number((Math.abs(value) / unit.size).toPrecision(digits))}${unit.name}`;
  }
  function ticksBetween(axis, [low, high], enough) {
    const given = axis.ticks.filter((tick) => tick.at >= low && tick.at <= high), values = [];
    if (given.length >= enough || axis.kind === "category") return given;
    const log = axis.kind === "log";
    const [first, last] = log ? [10 ** low, 10 ** high] : [low, high], raw = (last - first) / 5, power = 10 ** Math.floor(Math.log10(raw));
    const step = axis.binary ? 2 ** Math.ceil(Math.log2(raw)) : power * [1, 2, 5, 10].find((m) => m * power >= raw * (1 - 1e-9));
    if (log && high - low > 1) {
      const base = axis.binary ? 2 : 10, between = axis.binary || high - low > 2.5 ? [1] : [1, 2, 5];
      for (let e = base ** Math.floor(low / Math.log10(base)); e <= last; e *= base) for (const m of between) values.push([m * e, e]);
    } else for (let i = Math.ceil(first / step); i <= last / step; i++) values.push([i * step, step]);
    return values.map(([value, step]) => ({ at: log ? Math.log10(value) : value, text: print(axis, value, step) })).filter(({ at, text }) => text !== null && at >= low && at <= high);
  }

  function setUp(figure) {
    const holder = figure.querySelector(".picture"), svg = holder.firstElementChild, [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
    // A picture without axes is looked at closer as a whole: then its axes are pixels, and there is one panel.
    const plain = !svg.dataset.x, axes = plain ? { x: { ends: [0, width] }, y: { ends: [-height, 0] } } : Object.fromEntries(sides.filter((side) => svg.dataset[side]).map((side) => [side, readAxis(svg.dataset[side])]));
    const panels = plain ? [{ g: svg, base: [0, 0, width, height], box: [0, 0, width, height], name: "" }] : all(".panel", svg).map((g) => {
      const base = g.dataset.box.split(" ").map(Number), title = g.querySelector(".panel-title"), frame = g.querySelector(".axes");
      return { g, base, box: base, title, name: title?.querySelector("title")?.textContent ?? title?.textContent ?? "", frame, drawn: [...frame.children], marks: g.querySelector(".marks") };
    });
    const shown = { panel: "" }, was = new Map(), below = svg.querySelector(":scope > .axis-title");
    let items = null, here = null;
    const showAll = () => sides.forEach((side) => { shown[side] = axes[side]?.ends; }), isAll = () => sides.every((side) => shown[side] === axes[side]?.ends);
    showAll();

    // Looking closer: marks move to where their values are now, axes are written anew.
    const attributes = { polyline: ["points"], path: ["d"], circle: ["cx", "cy"], rect: ["x", "y", "width", "height"], text: ["x", "y"], g: ["transform"] };
    function remember(mark) {
      if (!was.has(mark)) was.set(mark, Object.fromEntries(attributes[mark.localName].map((name) => [name, mark.getAttribute(name)])));
      return was.get(mark);
    }
    function move(mark, [kx, cx], [ky, cy]) {
      const old = remember(mark), x = (v) => round(kx * v + cx), y = (v) => round(ky * v + cy), turn = (angle) => (Math.atan((Math.tan((angle * Math.PI) / 180) * ky) / kx) * 180) / Math.PI;
      for (const [name, text] of Object.entries(old)) mark.setAttribute(name, {
        points: () => text.replace(/(-?[\d.]+),(-?[\d.]+)/g, (_, a, b) => `${x(a)},${y(b)}`),
        d: () => text.replace(/([MHV])(-?[\d.]+)(?: (-?[\d.]+))?/g, (_, to, a, b) => to + (to === "V" ? y(a) : x(a)) + (b ? ` ${y(b)}` : "")),
        transform: () => text.replace(/(-?[\d.]+) (-?[\d.]+)(.*\()(-?[\d.]+)/, (_, a, b, between, angle) => `${x(a)} ${y(b)}${between}${turn(angle)}`),
        x: () => x(text), cx: () => x(text), y: () => y(text), cy: () => y(text), width: () => round(kx * text), height: () => round(ky * text),
      }[name]());
    }
    function update() {
      items = null; hide();
      reset.hidden = isAll() && shown.panel === "";
      if (plain) { svg.setAttribute("viewBox", [shown.x[0], -shown.y[1], shown.x[1] - shown.x[0], shown.y[1] - shown.y[0]].map(round).join(" ")); return; }
      const alone = panels[shown.panel], left = panels[0].base[0], large = alone && axes.y && panels.length > 1;
      for (const panel of panels) {
        panel.g.classList.toggle("off", Boolean(alone) && panel !== alone);
        panel.box = large && panel === alone ? [left, 22, width - left - 8, 250] : panel.base;
        const scale = sides.map((side, i) => {
          const [from, size, to, length] = [panel.base[i], panel.base[i + 2], panel.box[i], panel.box[i + 2]];
          if (!axes[side]) return [1, to - from];
          const [low, high] = axes[side].ends, [a, b] = shown[side], k = (length / size) * ((high - low) / (b - a)), first = (length * (low - a)) / (b - a);
          return i ? [k, to + length - first - k * (from + size)] : [k, to + first - k * from];
        });
        for (const mark of all("polyline, path, circle, rect, g > text, g[transform]", panel.marks)) if (!mark.parentElement.hasAttribute("transform")) move(mark, ...scale);
        if (panel.title) move(panel.title, [1, panel.box[0] - panel.base[0]], [1, panel.box[1] - panel.base[1]]);
        write(panel, large && panel === alone);
        clip(panel);
      }
      const tall = large ? 312 : height;
      svg.setAttribute("viewBox", alone && !large ? `0 ${alone.base[1] - 22} ${width} ${alone.base[3] + 50}` : `0 0 ${width} ${tall}`);
      if (below) move(below, [1, 0], [1, tall - height]);
    }
    function write({ base, box: [left, top, wide, tall], frame, drawn }, alone) {
      if (isAll() && !alone) { frame.replaceChildren(...drawn); return; }
      const at = (tick, side, size) => (size * (tick.at - shown[side][0])) / (shown[side][1] - shown[side][0]), grid = [], texts = [];
      const has = (name, from) => alone || drawn.some((each) => each.localName === "text" && from(Number(each.getAttribute(name))));
      const withX = has("y", (y) => y > base[1] + base[3] + 9), withY = has("x", (x) => x < base[0]); // other panels have none
      let free = -Infinity; // where the next text may begin
      for (const tick of ticksBetween(axes.x, shown.x, alone ? 5 : 3)) {
        const x = round(left + at(tick, "x", wide)), half = tick.text.length * 3.5;
        if (x - half < free) continue;
        free = x + half + 4;
        grid.push(`M${x} ${top}v${tall}`);
        if (withX) texts.push(make("text", { x: clamp(x, half, width - half), y: top + tall + 15, "text-anchor": "middle" }, tick.text));
      }
      free = Infinity;
      for (const tick of axes.y ? ticksBetween(axes.y, shown.y, 3) : []) {
        const y = round(top + tall - at(tick, "y", tall));
        if (y > free) continue;
        free = y - 13;
        grid.push(`M${left} ${y}h${wide}`);
        if (withY) texts.push(make("text", { x: left - 6, y: y + 4, "text-anchor": "end" }, tick.text));
      }
      frame.replaceChildren(make("path", { class: "grid", d: grid.join("") }), ...(axes.y ? [make("path", { class: "base", d: `M${left} ${top + tall}h${wide}` })] : []), ...texts);
    }
    function clip(panel) {
      const [x, y, wide, tall] = panel.box, id = `${figure.id}-clip${panels.indexOf(panel)}`, path = make("clipPath", { id });
      panel.clip?.remove(); panel.marks.removeAttribute("clip-path");
      if (isAll()) return;
      path.append(make("rect", { x: x - 4, y: y - 4, width: wide + 8, height: tall + 8 }));
      panel.g.append(path); panel.clip = path; panel.marks.setAttribute("clip-path", `url(#${id})`);
    }
    const panelAt = ({ x, y }) => panels.find(({ g, box }) => (plain || !g.classList.contains("off")) && x >= box[0] - 4 && x <= box[0] + box[2] + 4 && y >= box[1] - 4 && y <= box[1] + box[3] + 4);
    function share(side, spot, [left, top, wide, tall]) { // where a spot lies in what is shown of an axis, 0 to 1
      const [a, b] = shown[side] ?? [0, 1];
      if (plain) return clamp(((side === "x" ? spot.x : -spot.y) - a) / (b - a), 0, 1);
      return clamp(side === "x" ? (spot.x - left) / wide : (top + tall - spot.y) / tall, 0, 1);
    }
    function narrow(...cuts) { // to parts of what is shown; marks are known to a tenth of a pixel, so not too far
      sides.forEach((side, i) => {
        if (!axes[side]) return;
        const [low, high] = axes[side].ends, [a, b] = shown[side], [from, to] = cuts[i], most = high - low, size = clamp((to - from) * (b - a), most / 50, most), begin = clamp(a + from * (b - a), low, high - size);
        shown[side] = size > most * (1 - 1e-9) ? axes[side].ends : [begin, begin + size];
      });
      update();
    }
    function zoom(factor, spot) {
      const { box } = (spot && panelAt(spot)) ?? panels[shown.panel || 0];
      narrow(...sides.map((side) => { const from = (spot ? share(side, spot, box) : 0.5) * (1 - factor); return [from, from + factor]; }));
    }
    const pan = (dx, dy) => narrow([dx, 1 + dx], [dy, 1 + dy]);
    function choose(one, other) { // what lies between two corners
      const panel = panelAt(one);
      if (!panel) return;
      const cuts = sides.map((side) => (Math.abs(other[side] - one[side]) < 4 || !axes[side] ? [0, 1] : [one, other].map((spot) => share(side, spot, panel.box)).sort((a, b) => a - b)));
      if (!plain) { narrow(...cuts); return; }
      const size = Math.max(0.02, ...cuts.map(([a, b]) => b - a).filter((each) => each < 1)); // pictures keep their shape
      narrow(...cuts.map(([a, b]) => [(a + b - size) / 2, (a + b + size) / 2]));
    }
    function put(rect, ...box) { ["x", "y", "width", "height"].forEach((name, i) => rect.setAttribute(name, round(box[i]))); svg.append(rect); }
    const spotOf = (event) => new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());

    // Telling values: the mark nearest to the pointer, or the next one by key.
    function collect() {
      for (const title of all("title", svg)) { Object.assign(title.parentElement.dataset, { t: title.textContent.replaceAll("|", "¦"), own: "" }); title.remove(); }
      const names = Object.fromEntries(all(".key", figure).map((key) => [`s${key.dataset.style}`, key.textContent.trim()]));
      const back = svg.getScreenCTM().inverse(), [vx, vy, vw, vh] = svg.getAttribute("viewBox").split(" ").map(Number);
      items = all("[data-t]", svg).filter((mark) => mark.getClientRects().length).flatMap((mark) => {
        const panel = panels.find(({ marks }) => marks?.contains(mark)), texts = mark.dataset.t.split("|");
        const [left, top, wide, tall] = panel?.box ?? [vx, vy, vw, vh], head = panel?.name ?? "";
        const seen = ({ x, y, w, h, text }) => text && x + w > left - 5 && x < left + wide + 5 && y + h > top - 5 && y < top + tall + 5;
        if (mark.localName === "polyline") {
          const series = !("own" in mark.dataset) && /curve m/.test(mark.className.baseVal) && names[mark.parentElement.className.baseVal];
          const points = mark.getAttribute("points").split(" ").map((point) => point.split(",").map(Number));
          return texts.map((text, i) => ({ x: points[i][0], y: points[i][1], w: 0, h: 0, text, head: [head, series].filter(Boolean).join(", ") })).filter(seen);
        }
        const box = mark.getBoundingClientRect(), from = new DOMPoint(box.left, box.top).matrixTransform(back), to = new DOMPoint(box.right, box.bottom).matrixTransform(back);
        return [{ x: from.x, y: from.y, w: to.x - from.x, h: to.y - from.y, text: texts.join("|"), head }].filter(seen);
      });
    }
    const frame = make("rect", { class: "here", rx: 3 });
    function tell(item, scrolls = false) {
      hide();
      if (!item) return;
      here = item; put(frame, item.x - 4, item.y - 4, item.w + 8, item.h + 8);
      if (scrolls) frame.scrollIntoView({ block: "nearest", inline: "nearest" });
      const head = Object.assign(document.createElement("b"), { textContent: item.head });
      tip.replaceChildren(...(item.head ? [head] : []), item.text); tip.hidden = false;
      const box = frame.getBoundingClientRect(), left = clamp((box.left + box.right - tip.offsetWidth) / 2, 4, Math.max(4, innerWidth - tip.offsetWidth - 4));
      Object.assign(tip.style, { left: `${left + scrollX}px`, top: `${(box.top > tip.offsetHeight + 60 ? box.top - tip.offsetHeight - 4 : box.bottom + 4) + scrollY}px` });
    }
    function hide() { tip.hidden = true; frame.remove(); here = null; }
    function point(event) {
      if (!items) collect();
      const { x, y } = spotOf(event), away = (each) => Math.hypot(Math.max(each.x - x, 0, x - each.x - each.w), Math.max(each.y - y, 0, y - each.y - each.h)) + Math.min(1, (each.w + each.h) * 1e-3);
      let best = null, least = 25;
      for (const each of items) if (away(each) < least) { best = each; least = away(each); }
      if (best !== here) tell(best);
    }
    function go(item) {
      if (item) { tell(item, true); live.textContent = [item.head, item.text].filter(Boolean).join(": "); }
    }
    function step(by) {
      if (!items) collect();
      go(items.at((here ? items.indexOf(here) + by : Math.min(0, by)) % items.length));
    }
    function leap(down) { // to the nearest mark above or below
      if (!here) { step(1); return; }
      const far = (each) => 3 * Math.abs(each.x + each.w / 2 - here.x - here.w / 2) + Math.abs(each.y - here.y);
      go(items.filter((each) => (each.y - here.y) * down > 1).sort((a, b) => far(a) - far(b))[0]);
    }

    // Pointer, wheel and keys
    const chosen = make("rect", { class: "chosen" });
    let from = null;
    svg.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault(); zoom(Math.exp(clamp(event.deltaY, -200, 200) / 400), spotOf(event));
    }, { passive: false });
    svg.addEventListener("pointerdown", (event) => {
      if (event.button || event.pointerType === "touch") { point(event); return; }
      from = spotOf(event); event.preventDefault(); holder.focus({ preventScroll: true }); svg.setPointerCapture(event.pointerId); svg.classList.add("dragging");
    });
    svg.addEventListener("pointermove", (event) => {
      if (!from) { point(event); return; }
      const to = spotOf(event);
      hide();
      if (event.shiftKey) {
        const [, , wide, tall] = plain ? [0, 0, shown.x[1] - shown.x[0], shown.y[1] - shown.y[0]] : (panelAt(from) ?? panels[0]).box;
        pan((from.x - to.x) / wide, (to.y - from.y) / tall); from = spotOf(event); return;
      }
      put(chosen, Math.min(from.x, to.x), Math.min(from.y, to.y), Math.abs(to.x - from.x), Math.abs(to.y - from.y));
    });
    const finish = (event) => {
      const to = spotOf(event), start = from;
      from = null; chosen.remove(); svg.classList.remove("dragging");
      if (start && event.type === "pointerup" && !event.shiftKey && Math.hypot(to.x - start.x, to.y - start.y) > 6) choose(start, to);
    };
    for (const name of ["pointerup", "pointercancel"]) svg.addEventListener(name, finish);
    svg.addEventListener("pointerleave", (event) => { if (!from && event.pointerType !== "touch") hide(); });
    svg.addEventListener("dblclick", showRange);
    function zoomHere(factor) { // the last announcement stays
      const old = here;
      zoom(factor, old && { x: old.x + old.w / 2, y: old.y + old.h / 2 });
      collect(); tell(old && items.find((each) => each.text === old.text && each.head === old.head));
    }
    const keys = { ArrowRight: () => step(1), ArrowLeft: () => step(-1), ArrowUp: () => leap(-1), ArrowDown: () => leap(1), Escape: hide, "+": () => zoomHere(0.7), "=": () => zoomHere(0.7), "-": () => zoomHere(1 / 0.7), 0: showRange };
    const moves = { ArrowRight: [0.2, 0], ArrowLeft: [-0.2, 0], ArrowUp: [0, 0.2], ArrowDown: [0, -0.2] };
    Object.assign(holder, { tabIndex: 0, role: "group", ariaLabel: `${figure.querySelector("h3, h4").textContent}. Keys: arrows go from value to value, plus and minus zoom, Shift and arrows move, 0 shows all.` });
    holder.addEventListener("blur", hide);
    holder.addEventListener("keydown", (event) => {
      const act = event.shiftKey && moves[event.key] ? () => pan(...moves[event.key]) : keys[event.key];
      if (act && !event.ctrlKey && !event.metaKey && !event.altKey) { event.preventDefault(); act(); }
    });

    // Series, panels, the whole, and a picture to keep
    function restack() { // segments that are left move together
      for (const stack of all(".stack", svg)) {
        let x = null;
        for (const part of stack.children) {
          const rects = [...part.children].map(remember);
          x ??= Number(rects[0].x);
          if (part.matches(".off")) continue;
          for (const each of rects) each.x = x;
          x += Number(rects[0].width);
        }
      }
    }
    function press(key, on) {
      key.setAttribute("aria-pressed", String(on));
      all(`g.s${key.dataset.style}`, svg).forEach((each) => each.classList.toggle("off", !on));
      restack();
    }
    for (const key of all(".key", figure)) key.addEventListener("click", () => { press(key, key.getAttribute("aria-pressed") !== "true"); update(); });
    const tools = Object.assign(document.createElement("div"), { className: "figure-tools" });
    tools.innerHTML = '<label hidden>Panel <select><option value="">all</option></select></label><button type="button" hidden>All</button><button type="button">Save as SVG</button>';
    const [label, reset, keep] = tools.children, pick = label.querySelector("select");
    if (panels.length > 1 && panels[0].name) { label.hidden = false; pick.append(...panels.map(({ name }, i) => new Option(name, i))); }
    pick.addEventListener("change", () => { shown.panel = pick.value && Number(pick.value); update(); });
    function showRange() { showAll(); update(); }
    function showWhole() { pick.value = shown.panel = ""; showRange(); }
    reset.addEventListener("click", showWhole);
    keep.addEventListener("click", () => savePictures([svg], figure.id));
    figure.querySelector(".plot-tools").append(tools);

    // Paper shows all of it.
    let before = null;
    addEventListener("beforeprint", () => {
      before = { ...shown, off: all(".key[aria-pressed=false]", figure) };
      if (!reset.hidden || before.off.length) { before.off.forEach((key) => press(key, true)); showWhole(); }
    });
    addEventListener("afterprint", () => {
      const { off, ...old } = before;
      Object.assign(shown, old); pick.value = old.panel;
      if (off.length || !isAll() || old.panel !== "") { off.forEach((key) => press(key, false)); update(); }
    });
  }

  all(".picture").forEach((each) => setUp(each.parentElement));
  document.documentElement.dataset.figures = "ready";
})();

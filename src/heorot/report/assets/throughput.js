// Graphs over time: zoomed together by wheel, by dragging and by keys; saved as a picture.
"use strict";
(() => {
  const steps = [];
  for (let e = -6; e < 0; e++) for (const m of [1, 2, 5]) steps.push(m * 10 ** e);
  steps.push(1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200);
  for (let e = 0; e < 6; e++) for (const m of [1, 2, 5]) steps.push(86400 * m * 10 ** e);
  const units = [[86400, "d"], [3600, "h"], [60, "min"], [1, "s"]];
  const svgns = "http://www.w3.org/2000/svg";
  const live = document.getElementById("live");
  const clamp = (x, low, high) => Math.min(high, Math.max(low, x));
  function scale(begin, end) { // as the pages' own ticks: round moments, one unit
    const step = steps.find((s) => s >= (end - begin) / 9) ?? steps.at(-1);
    const [size, unit] = units.find(([s]) => step >= s / 2) ?? [1, "s"];
    const ticks = [];
    for (let i = Math.ceil(begin / step - 1e-9); i <= Math.floor(end / step + 1e-9); i++) ticks.push([i * step, `${Number(((i * step) / size).toPrecision(10))} ${unit}`]);
    return ticks;
  }
  const make = (name, attributes, text = "") => {
    const element = document.createElementNS(svgns, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.textContent = text;
    return element;
  };
  const number = (element, name) => Number(element.dataset[name]);

  function setUp(group) {
    const graphs = [...group.querySelectorAll("svg.timed")];
    if (!graphs.length) return;
    const begin = number(graphs[0], "begin"), end = number(graphs[0], "end");
    const shown = { begin, end }, rows = new Map(graphs.map((svg) => [svg, [0, number(svg, "height")]]));
    const tools = group.parentElement.parentElement.querySelector(".time-tools");
    const range = tools.querySelector(".range");

    function update() {
      for (const svg of graphs) place(svg);
      const whole = shown.begin === begin && shown.end === end;
      range.textContent = whole ? "" : scale(shown.begin, shown.end).filter((_, i, all) => i === 0 || i === all.length - 1).map(([, text]) => text).join(" to ");
    }
    function place(svg) {
      const left = number(svg, "left"), width = number(svg, "width"), height = number(svg, "height");
      const [low, high] = rows.get(svg);
      const kx = (end - begin) / (shown.end - shown.begin), ky = height / (high - low);
      const tx = left - kx * (left + (width * (shown.begin - begin)) / (end - begin)), ty = -ky * low;
      svg.querySelector(".moved").setAttribute("transform", `matrix(${kx} 0 0 ${ky} ${tx} ${ty})`);
      const names = svg.querySelector(".texts");
      for (const text of svg.querySelectorAll("text[data-y]")) {
        const y = ky * (Number(text.dataset.y) - 4) + ty + 4;
        const x = "x" in text.dataset ? kx * Number(text.dataset.x) + tx : Number(text.getAttribute("x"));
        text.setAttribute("x", x); text.setAttribute("y", y);
        const seen = y > 3 && y < height + 5 && (!("x" in text.dataset) || (x >= left - 2 && x <= left + width + 2));
        text.style.display = seen ? "" : "none";
      }
      nameRows(svg, names, { low, high, height, kx, ky, tx, ty, left, width });
      const ticks = svg.querySelector(".ticks"), grid = [];
      const texts = scale(shown.begin, shown.end).map(([seconds, text]) => {
        const x = left + (width * (seconds - shown.begin)) / (shown.end - shown.begin);
        grid.push(`M${x.toFixed(1)} 0V${height}`);
        return x < left + width - 6 ? make("text", { x: x.toFixed(1), y: height + 14, "text-anchor": "middle" }, text) : null;
      }).filter(Boolean);
      ticks.replaceChildren(make("path", { class: "grid", d: grid.join("") }), ...texts);
    }
    // Of many jobs those that are in sight get their names as soon as there is room.
    function nameRows(svg, names, at) {
      names.querySelectorAll(".given").forEach((each) => each.remove());
      const n = Number(svg.dataset.named ?? 0);
      if (!n || ((at.high - at.low) / at.height) * n > 60) return;
      const jobs = svg.querySelector(".moved").children, pitch = at.height / n;
      for (let i = Math.max(0, Math.floor(at.low / pitch)); i < Math.min(n, at.high / pitch); i++) {
        const bar = jobs[i]?.querySelector("rect") ?? jobs[i]?.querySelector(".w");
        if (!bar) continue;
        const box = bar.getBBox(), x = at.kx * (box.x + box.width) + at.tx + 4;
        if (x < at.left || x > at.left + at.width - 20) continue;
        const name = jobs[i].querySelector("title").textContent.split(/[ :]/)[0];
        names.append(make("text", { class: "name given", x, y: at.ky * (i + 0.5) * pitch + at.ty + 4 }, name));
      }
    }
    function zoom(factor, centre = (shown.begin + shown.end) / 2) {
      const length = clamp((shown.end - shown.begin) * factor, (end - begin) * 1e-5, end - begin);
      const share = (centre - shown.begin) / (shown.end - shown.begin);
      shown.begin = clamp(centre - share * length, begin, end - length);
      shown.end = shown.begin + length;
      update();
    }
    function pan(share) {
      const length = shown.end - shown.begin;
      shown.begin = clamp(shown.begin + share * length, begin, end - length);
      shown.end = shown.begin + length;
      update();
    }
    function zoomRows(svg, factor, centre) {
      const height = number(svg, "height"), [low, high] = rows.get(svg);
      const length = clamp((high - low) * factor, Math.min(height, height * 1e-3), height);
      const from = clamp(centre - ((centre - low) / (high - low)) * length, 0, height - length);
      rows.set(svg, [from, from + length]);
      update();
    }
    function panRows(share) {
      for (const svg of graphs) {
        const height = number(svg, "height"), [low, high] = rows.get(svg);
        const from = clamp(low + share * (high - low), 0, height - (high - low));
        if ("rows" in svg.dataset) rows.set(svg, [from, from + high - low]);
      }
      update();
    }
    function reset() {
      shown.begin = begin; shown.end = end;
      for (const svg of graphs) rows.set(svg, [0, number(svg, "height")]);
      update();
    }
    // Where the pointer is: time [s], and the place from the top before any zoom.
    function spot(svg, event) {
      const box = svg.getBoundingClientRect(), view = svg.viewBox.baseVal, [low, high] = rows.get(svg);
      const x = ((event.clientX - box.left) / box.width) * view.width, y = ((event.clientY - box.top) / box.height) * view.height;
      const share = clamp((x - number(svg, "left")) / number(svg, "width"), 0, 1);
      return { time: shown.begin + share * (shown.end - shown.begin), y: clamp(low + (y / number(svg, "height")) * (high - low), low, high) };
    }

    const chosen = document.createElement("div");
    chosen.className = "chosen"; chosen.hidden = true;
    group.append(chosen);
    for (const svg of graphs) {
      let from = null;
      const named = svg.querySelectorAll(".moved > .job").length;
      if (named && !svg.querySelector(".texts text")) svg.dataset.named = named;
      svg.addEventListener("wheel", (event) => {
        if (!event.ctrlKey && !group.contains(document.activeElement)) return;
        event.preventDefault();
        const at = spot(svg, event), factor = Math.exp(clamp(event.deltaY || event.deltaX, -200, 200) / 400);
        if (event.shiftKey && "rows" in svg.dataset) zoomRows(svg, factor, at.y); else zoom(factor, at.time);
      }, { passive: false });
      svg.addEventListener("pointerdown", (event) => {
        if (event.button || event.pointerType === "touch") return;
        group.focus({ preventScroll: true });
        from = { x: event.clientX, y: event.clientY, ...spot(svg, event) };
        event.preventDefault();
        svg.setPointerCapture(event.pointerId);
      });
      svg.addEventListener("pointermove", (event) => {
        if (!from) return;
        const outer = group.getBoundingClientRect(), tall = Math.abs(event.clientY - from.y) > 12 && "rows" in svg.dataset;
        chosen.hidden = Math.abs(event.clientX - from.x) < 4;
        Object.assign(chosen.style, { left: `${Math.min(from.x, event.clientX) - outer.left}px`, width: `${Math.abs(event.clientX - from.x)}px`, top: tall ? `${Math.min(from.y, event.clientY) - outer.top}px` : "0", height: tall ? `${Math.abs(event.clientY - from.y)}px` : "auto" });
        group.classList.add("dragging");
      });
      const finish = (event) => {
        if (!from) return;
        const to = spot(svg, event), start = from;
        from = null; chosen.hidden = true; group.classList.remove("dragging");
        if (event.type === "pointercancel" || Math.abs(event.clientX - start.x) < 4) return;
        shown.begin = Math.min(start.time, to.time);
        shown.end = Math.max(start.time, to.time, shown.begin + (end - begin) * 1e-5);
        if (Math.abs(event.clientY - start.y) > 12 && "rows" in svg.dataset) rows.set(svg, [Math.min(start.y, to.y), Math.max(start.y, to.y)]);
        update();
      };
      svg.addEventListener("pointerup", finish);
      svg.addEventListener("pointercancel", finish);
      svg.addEventListener("dblclick", reset);
    }
    const keys = { "+": () => zoom(0.7), "=": () => zoom(0.7), "-": () => zoom(1 / 0.7), ArrowLeft: () => pan(-0.2), ArrowRight: () => pan(0.2), ArrowUp: () => panRows(-0.2), ArrowDown: () => panRows(0.2), 0: reset, Home: reset,
      PageUp: () => graphs.forEach((svg) => "rows" in svg.dataset && zoomRows(svg, 0.7, rows.get(svg)[0])), PageDown: () => graphs.forEach((svg) => "rows" in svg.dataset && zoomRows(svg, 1 / 0.7, rows.get(svg)[0])) };
    group.addEventListener("keydown", (event) => {
      const act = keys[event.key];
      if (!act || event.ctrlKey || event.metaKey || event.altKey || event.target !== group) return;
      event.preventDefault();
      act();
      live.textContent = range.textContent ? `Shows ${range.textContent}` : "Shows all";
    });
    const actions = { in: () => zoom(0.5), out: () => zoom(2), reset, save: () => savePictures(graphs, group.dataset.name) };
    tools.addEventListener("click", (event) => {
      const act = actions[event.target.dataset?.act];
      if (act) { act(); live.textContent = range.textContent ? `Shows ${range.textContent}` : "Shows all"; }
    });
    // Paper shows all of it.
    let kept = null;
    addEventListener("beforeprint", () => { kept = { ...shown, rows: [...rows] }; reset(); });
    addEventListener("afterprint", () => { if (!kept) return; shown.begin = kept.begin; shown.end = kept.end; kept.rows.forEach(([svg, each]) => rows.set(svg, each)); update(); });
  }
  document.querySelectorAll(".times").forEach(setUp);
})();

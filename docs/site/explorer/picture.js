// A picture of plait's in the page: its cells, which of them is under the mouse, and which are marked. It has a shadow root,
// since the names in its style are its own.
function plaitPicture(host, onCell) {
  "use strict";
  var root = host.attachShadow({ mode: "open" }), cells = [], ofNode = new Map(), svg = null;
  var system = matchMedia("(prefers-color-scheme: dark)");
  var own = document.createElement("style"), holder = document.createElement("div");
  own.textContent = "svg { display: block; } .here { fill: none; stroke: #111111; stroke-width: 3; pointer-events: none; }" +
    " :host(.dark) .here { stroke: #ffffff; } .element, .padding, .gap { cursor: pointer; } g text { pointer-events: none; }" +
    " .offset, .index { pointer-events: auto; cursor: pointer; }";
  root.append(own, holder);

  // Each box of memory, of planes and of registers: its offset and index are the texts behind it.
  function readCells() {
    var memories = 0;
    cells = [];
    ofNode = new Map();
    svg.querySelectorAll("g.planes, g.memory, g.network").forEach(function (group) {
      var part = group.classList[0], cell = null, number = part === "memory" ? memories++ : 0;
      for (var node = group.firstElementChild; node; node = node.nextElementSibling) {
        if (node.tagName === "rect") {
          cell = { rect: node, part: part, number: number, offset: "", index: "" };
          cells.push(cell);
        } else if (cell && node.tagName === "text" && node.classList.contains("offset")) cell.offset = node.textContent;
        else if (cell && node.tagName === "text" && node.classList.contains("index")) cell.index = node.textContent.split(" ")[0];
        else cell = null;
        if (cell) ofNode.set(node, cell);
      }
    });
  }
  // The picture asks what the reader's system prefers; this page has a button.
  function setTheme() {
    var chosen = document.body.dataset.theme, dark = chosen === "dark" || (chosen !== "light" && system.matches);
    host.classList.toggle("dark", dark);
    var style = svg && svg.querySelector("style");
    if (style) style.textContent = style.textContent.replace(/@media [^{]*\{/, "@media " + (dark ? "all" : "not all") + " {");
  }
  function set(text) {
    holder.innerHTML = text;
    svg = holder.querySelector("svg");
    if (svg) readCells();
    setTheme();
  }
  // Marks the cells for which the function is true.
  function mark(isHere) {
    if (!svg) return 0;
    svg.querySelectorAll(".here").forEach(function (node) { node.remove(); });
    var found = cells.filter(isHere);
    found.forEach(function (cell) {
      var frame = cell.rect.cloneNode(false);
      frame.setAttribute("class", "here");
      svg.appendChild(frame);
    });
    return found.length;
  }
  ["pointermove", "pointerdown", "click"].forEach(function (type) {
    root.addEventListener(type, function (event) { onCell(ofNode.get(event.target) || null, event); });
  });
  host.addEventListener("pointerleave", function (event) { onCell(null, event); });
  new MutationObserver(setTheme).observe(document.body, { attributes: true, attributeFilter: ["data-theme"] });
  system.addEventListener("change", setTheme);
  return { set: set, mark: mark, cells: function () { return cells; } };
}

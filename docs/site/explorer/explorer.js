// The explorer: asks plait, which is compiled to WebAssembly in plait.js, and shows what it answers. What is typed is kept in the address.
(function () {
  "use strict";
  var START = { format: "nChw8c", dims: "1x17x2x3", into: "nchw", intodims: "", type: "f32", to: "", isa: "avx2", index: "" };
  var asked = document.getElementById("asked"), lookedUp = document.getElementById("looked-up"), tip = document.getElementById("tip");
  var state = Object.assign({}, START), plait = null, digits = [], timer = 0;

  function at(id) { return document.getElementById(id); }

  // An answer of plait's; where it ends for another reason, that is said, and it begins anew.
  function ask(name, texts, width) {
    var types = texts.map(function () { return "string"; });
    if (width) types.push("number"), texts = texts.concat(width);
    try {
      return JSON.parse(plait.ccall("plait_explore_" + name, "string", types, texts));
    } catch (error) {
      plait = null;
      begin(function () {});
      return { refusal: "This is a fault of the explorer, not of the question: " + error };
    }
  }
  var source = function () { return [state.format, state.dims]; };
  var target = function () { return [state.into, state.intodims.trim() || state.dims.split(/[:+]/)[0]]; };

  function showRefusal(section, answer) {
    at(section + "-refusal").textContent = answer.refusal || "";
    at(section + "-refusal").hidden = !answer.refusal;
    at(section + "-answer").hidden = !!answer.refusal;
    return !answer.refusal;
  }
  function setSave(id, svg) {
    var link = at(id);
    if (link.href) URL.revokeObjectURL(link.href);
    link.href = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  }
  function widthOf() { return Math.floor(at("layout").clientWidth) - 4; }

  function addRow(table, name, values, kind) {
    var row = table.insertRow(), head = document.createElement("th");
    head.textContent = name;
    row.className = kind;
    row.appendChild(head);
    values.forEach(function (value) { row.insertCell().textContent = value; });
  }
  function showDigits() {
    var table = at("digits");
    table.textContent = "";
    ["name", "extent", "stride"].forEach(function (field) {
      addRow(table, field === "name" ? "digit" : field, digits.map(function (digit) { return digit[field]; }), field);
    });
    addRow(table, "here", digits.map(function () { return ""; }), "value");
  }

  function showLayout() {
    at("layout").hidden = false;
    var answer = ask("layout", source(), widthOf());
    if (!showRefusal("layout", answer)) return;
    at("name").textContent = answer.name;
    at("layout-text").textContent = answer.text;
    digits = answer.digits;
    showDigits();
    layoutPicture.set(answer.svg);
    setSave("layout-save", answer.svg);
  }
  function showReorder() {
    at("reorder").hidden = !state.into.trim() || !at("layout-refusal").hidden;
    if (at("reorder").hidden) return;
    var answer = ask("reorder", source().concat(target(), [state.type, state.to, state.isa]), widthOf());
    if (!showRefusal("reorder", answer)) return;
    at("plan").textContent = answer.text;
    reorderPicture.set(answer.svg);
    setSave("reorder-save", answer.svg);
  }

  function sentenceOf(answer) {
    if (answer.refusal) return answer.refusal;
    var text = "offset " + answer.offset + ": " + (answer.kind === "padding" ? "padding, " : "") + answer.said;
    return text + (answer.sharing && answer.sharing !== "1" ? ", one of " + answer.sharing + " there" : "");
  }
  // Marks a place in both pictures, and says what lies there. `answer` is plait's for the layout, `moved` for where it is moved to.
  function showPlace(answer, moved) {
    var here = at("here"), values = answer && answer.values || [];
    here.textContent = answer ? sentenceOf(answer) + (answer.sum ? "; " + answer.sum : "") : "";
    if (moved && !moved.refusal) here.textContent += (answer ? "; " : "") + "in " + target().join(" ") + " " + sentenceOf(moved);
    here.className = answer && answer.refusal ? "wrong" : "";
    at("digits").querySelectorAll(".value td").forEach(function (cell, k) { cell.textContent = k < values.length ? values[k] : ""; });
    var from = answer && !answer.refusal ? answer.offset : null, to = moved && !moved.refusal ? moved.offset : null;
    layoutPicture.mark(function (cell) { return from !== null && cell.offset === from && (cell.part !== "planes" || cell.index === answer.index || answer.sharing !== "1"); });
    reorderPicture.mark(function (cell) { return cell.offset === (cell.part === "memory" && cell.number === 1 ? to : from); });
  }
  function movedOf(answer) {
    var is = answer && answer.kind === "element" && !at("reorder").hidden && at("reorder-refusal").hidden;
    return is ? ask("index", target().concat(answer.index)) : null;
  }
  // What was pinned by a click, or looked up.
  function showPinned() {
    if (!at("layout-refusal").hidden) return;
    var answer = state.index.trim() ? ask("index", source().concat(state.index.trim())) : null;
    if (document.activeElement !== lookedUp.index) lookedUp.index.value = state.index;
    if (document.activeElement !== lookedUp.offset) lookedUp.offset.value = answer && !answer.refusal ? answer.offset : "";
    showPlace(answer, movedOf(answer));
  }

  function showTip(text, event) {
    tip.hidden = !text;
    tip.textContent = text;
    tip.style.left = Math.max(4, Math.min(event.clientX + 14, window.innerWidth - tip.offsetWidth - 8)) + "px";
    tip.style.top = (event.clientY + 22 + tip.offsetHeight > window.innerHeight ? event.clientY - 12 - tip.offsetHeight : event.clientY + 18) + "px";
  }
  function onCell(isReorder) {
    return function (cell, event) {
      if (!cell || !cell.offset) {
        tip.hidden = true;
        return showPinned();
      }
      var isTarget = isReorder && cell.part === "memory" && cell.number === 1, answer, moved;
      if (isTarget) {
        moved = ask("place", target().concat(cell.offset));
        answer = moved.kind === "element" ? ask("index", source().concat(moved.index)) : null;
      } else {
        answer = cell.part === "planes" ? ask("index", source().concat(cell.index)) : ask("place", source().concat(cell.offset));
        moved = movedOf(answer);
      }
      showPlace(answer, moved);
      showTip(sentenceOf(isTarget ? moved : answer) + (isReorder && answer && moved && !isTarget ? " → " + moved.offset : ""), event);
      if (event.type === "click" && answer && answer.index) {
        state.index = answer.index;
        keep();
        showPinned();
      }
    };
  }
  var layoutPicture = plaitPicture(at("layout-picture"), onCell(false)), reorderPicture = plaitPicture(at("reorder-picture"), onCell(true));

  function keep() {
    var said = new URLSearchParams();
    Object.keys(START).forEach(function (name) { if (state[name] !== "") said.set(name, state[name]); });
    history.replaceState(null, "", "#" + said.toString());
  }
  function readAddress() {
    var said = new URLSearchParams(location.hash.slice(1)), is = Array.from(said.keys()).some(function (name) { return name in START; });
    Object.keys(START).forEach(function (name) {
      var without = { type: START.type, isa: START.isa }[name] || "";
      state[name] = is ? (said.has(name) ? said.get(name) : without) : START[name];
      if (asked.elements[name]) asked.elements[name].value = state[name];
      // What is no choice of a list is asked all the same, and refused.
    });
  }
  function show() {
    if (!plait) return;
    tip.hidden = true;
    showLayout();
    if (plait) showReorder();
    if (plait) showPinned();
  }
  function begin(then) {
    plaitModule().then(function (module) { plait = module; then(); }, function (error) {
      at("state").textContent = "WebAssembly could not begin here: " + error;
    });
  }

  asked.addEventListener("input", function (event) {
    state[event.target.name] = event.target.value;
    keep();
    clearTimeout(timer);
    timer = setTimeout(show, 120);
  });
  lookedUp.addEventListener("input", function (event) {
    var text = event.target.value.trim();
    if (event.target.name === "offset" && text) {
      var answer = ask("place", source().concat(text));
      if (!answer.index) return showPlace(answer, null);
      text = answer.index;
    }
    state.index = text;
    keep();
    showPinned();
  });
  [asked, lookedUp].forEach(function (form) { form.addEventListener("submit", function (event) { event.preventDefault(); }); });
  window.addEventListener("hashchange", function () { readAddress(); show(); });
  window.addEventListener("resize", function () { clearTimeout(timer); timer = setTimeout(show, 200); });
  readAddress();
  at("state").textContent = "Loading …";
  begin(function () {
    at("state").hidden = true;
    show();
    document.documentElement.dataset.explorer = "ready";
  });
})();

// The search, in the box that the theme has for it. It has an entry for each section, whose texts are kept, so that it also
// works on files; Sphinx's own finds pages. Every word has to be in an entry; a heading counts more than its text, and a whole
// heading the most.
function plaitSearch(index, query, most) {
  var words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return [];
  var found = [];
  index.forEach(function (entry, number) {
    var heading = entry[0].toLowerCase(), rest = (entry[1] + " " + entry[3]).toLowerCase(), score = 0;
    for (var i = 0; i < words.length; ++i) {
      var at = heading.indexOf(words[i]);
      if (at >= 0) score += heading === words[i] ? 100 : at === 0 ? 30 : 20;
      else if (rest.indexOf(words[i]) >= 0) score += 3;
      else return;
    }
    if (!entry[1]) score += 2;
    found.push({ entry: entry, score: score, number: number });
  });
  found.sort(function (a, b) { return b.score - a.score || a.number - b.number; });
  return found.slice(0, most || 12).map(function (each) { return each.entry; });
}

if (typeof document !== "undefined") document.addEventListener("DOMContentLoaded", function () {
  var root = DOCUMENTATION_OPTIONS.URL_ROOT, input = document.querySelector(".sidebar-search"), list = document.createElement("ol");
  var chosen = -1;
  list.id = "found";
  list.hidden = true;
  input.autocomplete = "off";
  input.form.after(list);

  function show() {
    var entries = plaitSearch(window.plaitIndex || [], input.value);
    list.textContent = "";
    chosen = -1;
    entries.forEach(function (entry) {
      var item = document.createElement("li"), link = document.createElement("a"), where = document.createElement("small");
      link.href = root + entry[2];
      link.textContent = entry[0];
      where.textContent = entry[1] + (entry[3] ? (entry[1] ? ": " : "") + entry[3].slice(0, 110) : "");
      link.appendChild(where);
      item.appendChild(link);
      list.appendChild(item);
    });
    if (input.value.trim() && !entries.length) {
      var none = document.createElement("li");
      none.textContent = "Nothing found.";
      list.appendChild(none);
    }
    list.hidden = !input.value.trim();
  }

  function choose(step) {
    var links = list.querySelectorAll("a");
    if (!links.length) return;
    if (chosen >= 0) links[chosen].classList.remove("chosen");
    chosen = (chosen + step + links.length) % links.length;
    links[chosen].classList.add("chosen");
    links[chosen].scrollIntoView({ block: "nearest" });
  }

  input.addEventListener("input", show);
  input.addEventListener("keydown", function (event) {
    var links = list.querySelectorAll("a");
    if (event.key === "ArrowDown") choose(1);
    else if (event.key === "ArrowUp") choose(chosen < 0 ? 0 : -1);
    else if (event.key === "Enter") location.href = links.length ? links[Math.max(chosen, 0)].href : "#";
    else if (event.key === "Escape") { input.value = ""; show(); input.blur(); }
    else return;
    event.preventDefault();
  });
  list.addEventListener("click", function () { list.hidden = true; });
});

if (typeof module !== "undefined") module.exports = plaitSearch;

// Runs in every page of the documentation site.

/** The number of tabs so far, for their ids. */
let made = 0;

for (const menu of document.querySelectorAll(".version-menu")) closeWhenLeft(menu);
for (const box of document.querySelectorAll(".examples")) showAsTabs(box);
const regions = new ResizeObserver((entries) => {
  for (const { target } of entries) makeScrollable(target);
});
for (const region of document.querySelectorAll("pre, .tsd-typography table, .tsd-signature")) regions.observe(region);

/** Closes a menu with Escape, and when the reader goes elsewhere. */
function closeWhenLeft(menu) {
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
  document.addEventListener("pointerdown", ({ target }) => {
    if (!menu.contains(target)) menu.open = false;
  });
  menu.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget && !menu.contains(relatedTarget)) menu.open = false;
  });
  // Keeps the place in the page.
  menu.addEventListener("click", ({ target }) => {
    const link = target.closest("a");
    if (link) link.hash = location.hash;
  });
}

/** Turns examples that follow each other into tabs, and remembers which one the reader prefers. */
function showAsTabs(box) {
  const panels = [...box.querySelectorAll(".example")];
  const list = document.createElement("div");
  list.className = "example-tabs";
  list.setAttribute("role", "tablist");
  list.setAttribute("aria-label", "Examples");
  const tabs = panels.map((panel) => addTab(list, panel));
  const select = (name, focus) => {
    const index = Math.max(
      0,
      panels.findIndex(({ dataset }) => dataset.title === name),
    );
    for (const [at, tab] of tabs.entries()) {
      tab.setAttribute("aria-selected", String(at === index));
      tab.tabIndex = at === index ? 0 : -1;
      panels[at].hidden = at !== index;
    }
    if (focus) tabs[index].focus();
  };
  list.addEventListener("click", ({ target }) => choose(target.textContent));
  list.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    choose(tabs.at((tabs.indexOf(event.target) + step) % tabs.length).textContent, list);
  });
  document.addEventListener("example", ({ detail }) => select(detail.name, detail.focus === list));
  box.prepend(list);
  box.classList.add("tabbed");
  select(read("example"));
}

function addTab(list, panel) {
  const tab = document.createElement("button");
  made += 1;
  panel.id ||= `example-${made}`;
  tab.id = `${panel.id}-tab`;
  tab.type = "button";
  tab.textContent = panel.dataset.title;
  tab.setAttribute("role", "tab");
  tab.setAttribute("aria-controls", panel.id);
  panel.setAttribute("role", "tabpanel");
  panel.setAttribute("aria-labelledby", tab.id);
  list.append(tab);
  return tab;
}

/** Shows the same kind of example everywhere on the page. */
function choose(name, focus) {
  try {
    localStorage.setItem("example", name);
  } catch {
    // The browser does not allow storage; the choice lasts for this page.
  }
  document.dispatchEvent(new CustomEvent("example", { detail: { name, focus } }));
}

function read(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Lets the keyboard scroll what is wider than the page. */
function makeScrollable(region) {
  if (region.scrollWidth > region.clientWidth) region.tabIndex = 0;
  else region.removeAttribute("tabindex");
}

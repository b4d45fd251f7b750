// Keys of a page: an element with data-key is clicked when its key is pressed outside of a text field.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const field = event.target.closest("input, textarea, select, [contenteditable]");
  if (field) return;
  if (event.key.startsWith("Arrow") && event.target.closest("[role=slider], [role=gridcell], [role=radiogroup], [role=tab]")) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const found = [...document.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key && !one.disabled);
  if (found) { event.preventDefault(); found.click(); }
});

// Focus survives when a part of the page is drawn again: it goes to the button that does the same, or to the first one.
let lastFocus = null;
document.addEventListener("focusin", (event) => {
  const go = event.target.dataset?.go;
  lastFocus = go === undefined ? null : { go, box: event.target.closest("[role=navigation], .panel") };
});
new MutationObserver(() => {
  if (!lastFocus?.box || document.activeElement !== document.body) return;
  const { go, box } = lastFocus;
  const again = box.querySelector(`[data-go="${CSS.escape(go)}"]`) ?? box.querySelector(".crumb.now button");
  again?.focus();
}).observe(document, { childList: true, subtree: true });

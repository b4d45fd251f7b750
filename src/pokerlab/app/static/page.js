// Keys of a page: an element with data-key is clicked when its key is pressed outside of a text field.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const field = event.target.closest("input, textarea, select, [contenteditable]");
  if (field) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const found = [...document.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key && !one.disabled);
  if (found) { event.preventDefault(); found.click(); }
});

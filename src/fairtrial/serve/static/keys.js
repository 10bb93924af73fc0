// Keys act on controls: a control with `data-key` is clicked by that key, which is printed on it. While one types, or a
// dialog is open, keys do nothing; Escape leaves a field. Nothing acts on a key that is held down.

const TYPED = "input:not([type=radio]):not([type=checkbox]):not([type=button]), textarea, select, [contenteditable]";

/** Listen for keys; `acts` maps a key (`j`, `?`, `shift+1`) to what it does where no control has it. */
export function listen(acts) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    if (event.key === "Escape" && event.target.matches?.(TYPED)) return event.target.blur();
    if (event.target.closest?.(TYPED) || document.querySelector("dialog[open]")) return;
    const key = named(event);
    const act = acts[key] || clicks(key);
    if (!act || (event.repeat && !["j", "k"].includes(key))) return;
    event.preventDefault();
    act();
  });
}

/** Digits with shift are told by the key, not by what a keyboard's language prints on it. */
function named(event) {
  const digit = /^Digit(\d)$/.exec(event.code);
  if (digit && event.shiftKey) return `shift+${digit[1]}`;
  return digit ? digit[1] : event.key.length === 1 ? event.key.toLowerCase() : event.key;
}

function clicks(key) {
  const control = [...document.querySelectorAll(`[data-key="${CSS.escape(key)}"]`)].find((one) => !one.disabled);
  return control && (() => control.click());
}

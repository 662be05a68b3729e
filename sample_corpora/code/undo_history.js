// A history for an editor: every change can be undone, redone and described.

/**
 * @typedef {object} Change
 * @property {number} at       offset in UTF-16 units
 * @property {string} removed  text that stood there
 * @property {string} added    text that stands there now
 * @property {number} when     milliseconds since the page was opened
 */

const MERGE_WITHIN_MS = 600;

export class History extends EventTarget {
  #past = [];
  #future = [];
  #text;

  constructor(text = "", { limit = 500 } = {}) {
    super();
    this.#text = text;
    this.limit = limit;
  }

  get text() {
    return this.#text;
  }

  get canUndo() {
    return this.#past.length > 0;
  }

  get canRedo() {
    return this.#future.length > 0;
  }

  /** Replace `length` units at `at`; fast typing at one place becomes one step. */
  replace(at, length, added, when = performance.now()) {
    if (at < 0 || at + length > this.#text.length) {
      throw new RangeError(`the range ${at}..${at + length} lies outside 0..${this.#text.length}`);
    }
    const change = { at, removed: this.#text.slice(at, at + length), added, when };
    this.#future = [];
    const last = this.#past.at(-1);
    if (last && History.#continues(last, change)) {
      last.added += added;
      last.when = when;
    } else {
      this.#past.push(change);
      if (this.#past.length > this.limit) this.#past.shift();
    }
    this.#apply(change);
  }

  undo() {
    const change = this.#past.pop();
    if (!change) return false;
    this.#future.push(change);
    this.#apply({ ...change, removed: change.added, added: change.removed });
    return true;
  }

  redo() {
    const change = this.#future.pop();
    if (!change) return false;
    this.#past.push(change);
    this.#apply(change);
    return true;
  }

  static #continues(last, next) {
    const adjacent = last.at + last.added.length === next.at;
    const pure = next.removed === "" && last.removed === "";
    const soon = next.when - last.when < MERGE_WITHIN_MS;
    return adjacent && pure && soon && !/\s$/.test(last.added);
  }

  #apply({ at, removed, added }) {
    this.#text = this.#text.slice(0, at) + added + this.#text.slice(at + removed.length);
    this.dispatchEvent(new CustomEvent("change", { detail: { at, removed, added, text: this.#text } }));
  }

  describe() {
    const short = (text) => (text.length > 20 ? `${text.slice(0, 19)}…` : text).replaceAll("\n", "⏎");
    return this.#past.map(({ at, removed, added }) => {
      if (!removed) return `typed “${short(added)}” at ${at}`;
      if (!added) return `deleted “${short(removed)}” at ${at}`;
      return `replaced “${short(removed)}” with “${short(added)}” at ${at}`;
    });
  }
}

/** Wire a textarea: Ctrl+Z and Ctrl+Shift+Z step through its history. */
export function attach(field, history) {
  history.addEventListener("change", () => {
    if (field.value !== history.text) field.value = history.text;
  });
  field.addEventListener("beforeinput", (event) => {
    if (event.inputType !== "insertText" || event.isComposing) return;
    event.preventDefault();
    const { selectionStart: start, selectionEnd: end } = field;
    history.replace(start, end - start, event.data ?? "");
    field.setSelectionRange(start + event.data.length, start + event.data.length);
  });
  field.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z") return;
    event.preventDefault();
    event.shiftKey ? history.redo() : history.undo();
  });
}

/** Elements made in one call. Styles are set through the CSSOM, so the content policy needs no exception. */

const SVG = 'http://www.w3.org/2000/svg';

/** @typedef {Node|string|number|null|undefined|false} Child */

/**
 * @param {Element} node
 * @param {Record<string, any>} props `class`, `style` (an object), `on…` handlers, `data-…`; the rest are attributes
 */
function apply(node, props) {
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (name === 'style') {
      for (const [key, text] of Object.entries(value)) {
        /** @type {HTMLElement} */ (node).style.setProperty(key, String(text));
      }
    } else if (name === 'value' && 'value' in node) /** @type {any} */ (node).value = value;
    else node.setAttribute(name, value === true ? '' : String(value));
  }
}

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any>|null} [props]
 * @param {...Child|Child[]} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function el(tag, props, ...children) {
  const node = document.createElement(tag);
  node.append(...children.flat().filter(isChild).map(asNode));
  // After the children: a select takes its value only once its options are there.
  if (props) apply(node, props);
  return node;
}

/**
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any>|null} [props]
 * @param {...Child|Child[]} children
 * @returns {SVGElementTagNameMap[T]}
 */
export function svg(tag, props, ...children) {
  const node = /** @type {SVGElementTagNameMap[T]} */ (document.createElementNS(SVG, tag));
  if (props) apply(node, props);
  node.append(...children.flat().filter(isChild).map(asNode));
  return node;
}

/** @param {Child} child @returns {child is Node|string|number} */
function isChild(child) {
  return child !== null && child !== undefined && child !== false;
}

/** @param {Node|string|number} child */
function asNode(child) {
  return typeof child === 'number' ? String(child) : child;
}

/**
 * Replaces all children. The focus stays on the child with the same name, or else in the same place.
 * @param {HTMLElement} root
 * @param {...Child} children
 */
export function redraw(root, ...children) {
  const all = () => /** @type {HTMLElement[]} */ ([...root.querySelectorAll('button, input, select, summary, a')]);
  const name = (/** @type {HTMLElement} */ one) => `${one.getAttribute('aria-label') ?? one.textContent} ${one.dataset['value'] ?? ''}`;
  const focused = document.activeElement;
  const at = all().findIndex((one) => one === focused);
  root.replaceChildren(...children.filter(isChild).map(asNode));
  if (at < 0) return;
  const now = all();
  const same = (/** @type {HTMLElement|undefined} */ one) => one && name(one) === name(/** @type {HTMLElement} */ (focused));
  (same(now[at]) ? now[at] : now.find(same) ?? now[at])?.focus();
}

/**
 * A function that runs at most once a frame, with what it was last called for.
 * @template {any[]} A
 * @param {(...args: A) => void} run
 * @returns {(...args: A) => void}
 */
export function onceAFrame(run) {
  /** @type {A|null} */
  let waiting = null;
  return (...args) => {
    if (!waiting) {
      requestAnimationFrame(() => {
        const now = /** @type {A} */ (waiting);
        waiting = null;
        run(...now);
      });
    }
    waiting = args;
  };
}

/**
 * Offers a text or a blob as a file.
 * @param {string} name
 * @param {Blob} blob
 */
export function download(name, blob) {
  const url = URL.createObjectURL(blob);
  el('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

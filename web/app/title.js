/** The title of the page, and a badge when somebody waits for this browser. */

const icon = /** @type {HTMLLinkElement} */ (document.querySelector('link[rel=icon]'));

/** @param {string} text @param {boolean} [waiting] it is this browser's turn */
export function showTitle(text, waiting = false) {
  document.title = `${waiting ? '● ' : ''}${text} – Polyply`;
  icon.href = waiting ? 'icon-turn.svg' : 'icon.svg';
  if (!('setAppBadge' in navigator)) return;
  const done = waiting && document.hidden ? navigator.setAppBadge(1) : navigator.clearAppBadge();
  done.catch(() => {});
}

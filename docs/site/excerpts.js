// SPDX-License-Identifier: BSD-3-Clause
// Sphinx's search fetches a page to quote from it. docs/site/conf.py replaces the next line's constant by the texts.
(() => {
  const texts = TEXTS;
  window.fetch = (address) => {
    const root = document.documentElement.dataset.content_root;
    const page = address.slice(root.length).replace(/\.html$/, "");
    return Promise.resolve(new Response(`<div role="main">${texts[page] ?? ""}</div>`));
  };
})();

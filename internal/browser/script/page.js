// Runs once in every document we look at, in a world of its own: it sees the
// DOM, the page sees nothing of it. It watches for changes, serialises and
// finds; all deciding is done in Go.
globalThis.trawl ??= (() => {
  let lastChange = performance.now();
  let changes = 0;
  new MutationObserver(() => { lastChange = performance.now(); changes++; })
    .observe(document, { childList: true, characterData: true, subtree: true });

  const inert = /^(application\/(ld\+)?json|text\/template|text\/html|text\/x-|importmap|speculationrules)/i;

  // text counts the characters a reader would see, up to as many as matter.
  const silent = /^(SCRIPT|STYLE|NOSCRIPT|TEMPLATE)$/;
  const text = enough => {
    if (!document.body) return 0;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    let seen = 0;
    while (seen < enough && walker.nextNode()) {
      const node = walker.currentNode;
      if (!silent.test(node.parentNode.nodeName)) seen += node.data.trim().length;
    }
    return seen;
  };

  // facts says how alive the page is, so that Go can choose how long to watch it.
  const live = () => [...document.scripts].filter(s => !inert.test(s.type || ''));
  const facts = () => ({
    scripts: live().length > 0,
    bundles: live().some(s => s.src),
    frames: document.querySelector('iframe, frame') !== null,
    text: text(1000),
    changes,
    quietFor: performance.now() - lastChange,
    fetched: performance.getEntriesByType('resource').some(e => e.initiatorType === 'fetch' || e.initiatorType === 'xmlhttprequest'),
  });

  // calm resolves when nothing has changed for that long, or at the latest after limit.
  const calm = (window, limit) => new Promise(resolve => {
    const until = performance.now() + limit;
    const look = () => {
      const now = performance.now();
      const left = Math.min(window - (now - lastChange), until - now);
      if (left <= 0) resolve(facts());
      else setTimeout(look, Math.max(left, 5));
    };
    look();
  });

  const empty = new Set(['AREA', 'BASE', 'BR', 'COL', 'EMBED', 'HR', 'IMG', 'INPUT', 'LINK', 'META', 'SOURCE', 'TRACK', 'WBR', 'PARAM']);
  const raw = new Set(['SCRIPT', 'STYLE', 'XMP', 'IFRAME', 'NOEMBED', 'NOFRAMES', 'PLAINTEXT']);
  const escapeText = s => s.replace(/&/g, '&amp;').replace(/\u00a0/g, '&nbsp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
  const escapeValue = s => s.replace(/&/g, '&amp;').replace(/\u00a0/g, '&nbsp;').replace(/"/g, '&quot;');
  const attributes = el => {
    let out = '';
    for (const a of el.attributes) out += ` ${a.name}="${escapeValue(a.value)}"`;
    return out;
  };

  // Frames of other origins cannot be looked into from here; Go has their text
  // written in a world of their own and puts it here.
  const placed = new WeakMap();
  const place = (frame, text) => { placed.set(frame, text); };
  const isShown = el => {
    const box = el.getBoundingClientRect();
    return box.width > 2 && box.height > 2 && getComputedStyle(el).visibility !== 'hidden';
  };

  // Closed shadow trees cannot be seen from here either; Go finds them and
  // hands them over. Only elements with names of their own are suspected.
  const unsealed = new WeakMap();
  const unseal = (host, root) => { unsealed.set(host, root); };
  const suspects = () => [...document.querySelectorAll('*')]
    .filter(el => el.localName.includes('-') && !el.shadowRoot && !unsealed.has(el)).slice(0, 64);
  const shadow = el => el.shadowRoot ?? unsealed.get(el);

  // children gives what is rendered below a node: the shadow tree where there
  // is one, with slots replaced by what was put into them.
  const children = node => {
    const root = shadow(node);
    if (root) return root.childNodes;
    if (node.localName === 'slot' && node.getRootNode() instanceof ShadowRoot) {
      const assigned = node.assignedNodes();
      if (assigned.length) return assigned;
    }
    if (node.localName === 'template') return node.content.childNodes;
    return node.childNodes;
  };

  const maxDepth = 8; // frames within frames

  // write serialises with an explicit stack: pages nest deeper than calls may.
  const write = (root, depth) => {
    const out = [];
    const stack = [{ node: root }];
    while (stack.length) {
      const top = stack.pop();
      if (top.close !== undefined) { out.push(top.close); continue; }
      const node = top.node;
      switch (node.nodeType) {
        case Node.TEXT_NODE: {
          const parent = node.parentNode;
          out.push(parent && raw.has(parent.nodeName) ? node.data : escapeText(node.data));
          continue;
        }
        case Node.COMMENT_NODE: out.push(`<!--${node.data}-->`); continue;
        case Node.ELEMENT_NODE: break;
        default: continue;
      }
      const name = node.localName;
      if ((name === 'iframe' || name === 'frame') && depth < maxDepth) {
        out.push(inline(node, depth));
        continue;
      }
      out.push(`<${name}${attributes(node)}>`);
      if (empty.has(node.nodeName)) continue;
      stack.push({ close: `</${name}>` });
      const below = children(node);
      for (let i = below.length - 1; i >= 0; i--) stack.push({ node: below[i] });
    }
    return out.join('');
  };

  // inline puts the document of a frame into a container that still says it
  // was one, so that selectors naming iframe can be made to mean it.
  const inline = (frame, depth) => {
    const doc = frame.contentDocument;
    const open = `<div data-trawl-frame="${escapeValue(frame.localName)}"${attributes(frame).replace(/ srcdoc="[^"]*"/, '')}>`;
    if (!isShown(frame)) return `${open}</div>`;
    if (!doc) return `${open}${placed.get(frame) ?? ''}</div>`;
    return `${open}${below(doc, depth + 1)}</div>`;
  };
  const below = (doc, depth) => [...(doc.body?.childNodes ?? [])].map(child => write(child, depth)).join('');
  const body = () => below(document, 1);

  const needsFlattening = () => {
    if (document.querySelector('iframe, frame')) return true;
    const walker = document.createTreeWalker(document, NodeFilter.SHOW_ELEMENT);
    for (let el = walker.nextNode(); el; el = walker.nextNode()) if (shadow(el)) return true;
    return false;
  };

  const doctype = () => {
    const d = document.doctype;
    return d ? `<!DOCTYPE ${d.name}${d.publicId ? ` PUBLIC "${d.publicId}"` : ''}${d.systemId ? ` "${d.systemId}"` : ''}>` : '';
  };

  const html = () => {
    const root = document.documentElement;
    if (!root) return '';
    return doctype() + (needsFlattening() ? write(root, 0) : root.outerHTML);
  };

  const strangers = () => [...document.querySelectorAll('iframe, frame')].some(f => !f.contentDocument && isShown(f));

  // read is the page as it stands, after what matches the selectors is gone.
  const read = selectors => {
    if (selectors) unveil(selectors);
    return { url: location.href, html: html(), type: document.contentType, strangers: strangers(), suspects: suspects().length };
  };

  // unveil removes what stands between a reader and the page: elements that
  // match, unless they hold so much of the text that the rule must be wrong.
  const unveil = selectors => {
    const body = document.body;
    if (!body) return 0;
    const all = body.textContent.length;
    let removed = 0;
    for (const el of document.querySelectorAll(selectors)) {
      if (el === body || el === document.documentElement || el.contains(body)) continue;
      if (el.textContent.length > 500 && el.textContent.length > all * 0.5) continue;
      el.remove();
      removed++;
    }
    if (removed) for (const el of [document.documentElement, body]) {
      if (getComputedStyle(el).overflow === 'hidden') el.style.setProperty('overflow', 'visible', 'important');
    }
    return removed;
  };

  // find gives the first match, or an error code. Selectors are the caller's.
  const find = selector => {
    try { return { el: document.querySelector(selector) }; } catch { return { code: 'INVALID_SELECTOR' }; }
  };
  const isVisible = el => {
    if (!el.isConnected) return false;
    const style = getComputedStyle(el);
    const box = el.getBoundingClientRect();
    return style.visibility !== 'hidden' && style.display !== 'none' && box.width > 0 && box.height > 0;
  };
  const later = ms => new Promise(resolve => setTimeout(resolve, ms));

  // visible resolves to '' once the selector shows something, or to a code.
  const visible = async (selector, limit) => {
    const until = performance.now() + limit;
    for (;;) {
      const { el, code } = find(selector);
      if (code) return code;
      if (el && [...document.querySelectorAll(selector)].some(isVisible)) return '';
      if (performance.now() >= until) return el ? 'ELEMENT_NOT_VISIBLE' : 'SELECTOR_NOT_FOUND';
      await later(20);
    }
  };

  // aim brings the nth match into view and says where to click, or that only a
  // synthetic click will reach it (something lies on top of it).
  const aim = (selector, n) => {
    let el;
    try { el = document.querySelectorAll(selector)[n]; } catch { return { code: 'INVALID_SELECTOR' }; }
    if (!el) return { code: 'SELECTOR_NOT_FOUND' };
    el.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    if (!isVisible(el)) return { code: 'ELEMENT_NOT_VISIBLE' };
    const box = [...el.getClientRects()].find(r => r.width > 0 && r.height > 0) ?? el.getBoundingClientRect();
    const x = box.left + box.width / 2, y = box.top + box.height / 2;
    const hit = document.elementFromPoint(x, y);
    return { x, y, covered: !hit || !(el.contains(hit) || hit.contains(el) || hit.shadowRoot?.contains(el)) };
  };
  const push = (selector, n) => {
    const el = document.querySelectorAll(selector)[n];
    if (!el) return 'SELECTOR_NOT_FOUND';
    if (el.focus) el.focus();
    el.click();
    return '';
  };
  const count = selector => {
    try { return document.querySelectorAll(selector).length; } catch { return -1; }
  };

  const hasFocus = () => {
    const el = document.activeElement;
    return document.designMode === 'on' || !!el && (el !== document.body || el.isContentEditable);
  };

  const scroll = (selector, sign) => {
    let el = null;
    if (selector) {
      const found = find(selector);
      if (found.code) return found.code;
      if (!found.el) return 'SELECTOR_NOT_FOUND';
      el = found.el;
    }
    if (el) el.scrollBy({ top: sign * el.clientHeight, behavior: 'instant' });
    else window.scrollBy({ top: sign * window.innerHeight, behavior: 'instant' });
    return '';
  };

  // frames lets two frames pass, so that what was set off has been drawn.
  const frames = () => new Promise(resolve => {
    setTimeout(resolve, 100);
    requestAnimationFrame(() => requestAnimationFrame(resolve));
  });

  // unroll visits the page from top to bottom, so that what loads when seen is loaded.
  const unroll = async limit => {
    const until = performance.now() + limit;
    const [x, y] = [window.scrollX, window.scrollY];
    for (let top = 0; top < document.documentElement.scrollHeight && performance.now() < until; top += window.innerHeight) {
      window.scrollTo({ top, behavior: 'instant' });
      await frames();
    }
    window.scrollTo({ left: x, top: y, behavior: 'instant' });
    await frames();
  };

  return { facts, calm, read, body, place, suspects, unseal, visible, aim, push, count, hasFocus, scroll, frames, unroll };
})();

// Reads the looks of a page: what colours, fonts, sizes and pictures it really
// uses, weighed by how much of the page they cover. Nothing is guessed that
// the page does not show; what it does not show is left out.
(() => {
  const style = el => getComputedStyle(el);
  const area = el => { const b = el.getBoundingClientRect(); return Math.max(0, b.width) * Math.max(0, b.height); };
  const shown = el => { const s = style(el); return s.visibility !== 'hidden' && s.display !== 'none' && area(el) > 0; };
  const absolute = u => { try { return u ? new URL(u, document.baseURI).href : undefined; } catch { return undefined; } };
  const px = v => { const n = parseFloat(v); return Number.isFinite(n) ? n : 0; };

  // Colours come in many notations; a canvas reads them all.
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const known = new Map();
  const rgba = text => {
    if (known.has(text)) return known.get(text);
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = '#000';
    canvas.fillStyle = text;
    canvas.fillRect(0, 0, 1, 1);
    const colour = [...canvas.getImageData(0, 0, 1, 1).data];
    known.set(text, colour);
    return colour;
  };
  const hex = text => {
    const [r, g, b, a] = rgba(text);
    return a < 128 ? undefined : '#' + [r, g, b].map(n => n.toString(16).padStart(2, '0')).join('').toUpperCase();
  };
  const luminance = h => {
    const [r, g, b] = [1, 3, 5].map(i => parseInt(h.slice(i, i + 2), 16) / 255);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const saturation = h => {
    const c = [1, 3, 5].map(i => parseInt(h.slice(i, i + 2), 16));
    const top = Math.max(...c);
    return top === 0 ? 0 : (top - Math.min(...c)) / top;
  };

  const tally = () => {
    const counts = new Map();
    return {
      add: (key, weight = 1) => { if (key) counts.set(key, (counts.get(key) ?? 0) + weight); },
      ranked: () => [...counts].sort((a, b) => b[1] - a[1]).map(([key]) => key),
    };
  };

  const body = document.body;
  if (!body) return {};
  const all = [...body.querySelectorAll('*')].slice(0, 5000).filter(shown);
  const buttons = all.filter(el => el.matches('button, [role="button"], input[type="submit"], a[class*="btn" i], a[class*="button" i]'));
  const links = all.filter(el => el.matches('a[href]') && !buttons.includes(el) && el.innerText?.trim());

  // Background: what the page is painted on.
  const background = hex(style(body).backgroundColor) ?? hex(style(document.documentElement).backgroundColor) ?? '#FFFFFF';

  const ink = tally(), families = tally(), stacks = tally(), accents = tally(), radii = tally(), gaps = tally();
  for (const el of all) {
    const s = style(el);
    const own = [...el.childNodes].filter(n => n.nodeType === Node.TEXT_NODE).reduce((n, t) => n + t.data.trim().length, 0);
    if (own > 0) {
      ink.add(hex(s.color), own);
      families.add(s.fontFamily.split(',')[0].trim().replace(/^["']|["']$/g, ''), own);
      stacks.add(s.fontFamily, own);
    }
    const painted = hex(s.backgroundColor);
    if (painted && painted !== background && saturation(painted) > 0.25) accents.add(painted, Math.min(area(el), 200000));
    if (px(s.borderTopLeftRadius) > 0) radii.add(s.borderTopLeftRadius);
    for (const side of ['paddingTop', 'paddingLeft', 'marginBottom']) {
      const gap = Math.round(px(s[side]));
      if (gap >= 2 && gap <= 64) gaps.add(gap);
    }
  }

  const look = el => {
    const s = style(el);
    return {
      background: hex(s.backgroundColor) ?? 'transparent',
      textColor: hex(s.color),
      borderColor: px(s.borderTopWidth) > 0 ? hex(s.borderTopColor) : undefined,
      borderRadius: s.borderTopLeftRadius,
      fontWeight: s.fontWeight,
      fontSize: s.fontSize,
      padding: s.padding,
      shadow: s.boxShadow === 'none' ? undefined : s.boxShadow,
    };
  };
  const filled = buttons.filter(b => hex(style(b).backgroundColor) && hex(style(b).backgroundColor) !== background)
    .sort((a, b) => saturation(hex(style(b).backgroundColor)) - saturation(hex(style(a).backgroundColor)));
  const primaryButton = filled[0] ?? buttons[0];
  const secondaryButton = buttons.find(b => b !== primaryButton && style(b).backgroundColor !== style(primaryButton).backgroundColor);
  const field = all.find(el => el.matches('input:not([type="submit"]):not([type="hidden"]):not([type="checkbox"]):not([type="radio"]), textarea, select'));

  const variables = {};
  for (const sheet of document.styleSheets) {
    let rules = [];
    try { rules = sheet.cssRules; } catch { continue; } // of another origin
    for (const rule of [...rules].slice(0, 2000)) {
      if (!/^(:root|html|body)/.test(rule.selectorText ?? '')) continue;
      for (const name of rule.style) if (name.startsWith('--')) variables[name] = style(document.documentElement).getPropertyValue(name).trim();
    }
  }
  const variable = pattern => {
    for (const [name, value] of Object.entries(variables)) {
      if (pattern.test(name) && CSS.supports('color', value)) return hex(value);
    }
    return undefined;
  };

  const inks = ink.ranked(), tints = accents.ranked();
  const link = links.length ? hex(style(links[Math.floor(links.length / 2)]).color) : undefined;
  const primary = variable(/--(color-|brand-|theme-)*(primary|brand)(-color|-500|-600)?$/i)
    ?? (primaryButton && saturation(hex(style(primaryButton).backgroundColor) ?? '#000000') > 0.25 ? hex(style(primaryButton).backgroundColor) : undefined)
    ?? tints[0] ?? (link && saturation(link) > 0.25 ? link : undefined);
  const others = [...tints, link].filter(c => c && c !== primary && saturation(c) > 0.25);

  const meta = name => document.querySelector(`meta[property="${name}"], meta[name="${name}"]`)?.content?.trim() || undefined;
  const icon = [...document.querySelectorAll('link[rel~="icon"], link[rel="apple-touch-icon"]')]
    .sort((a, b) => parseInt(b.sizes?.value || '0') - parseInt(a.sizes?.value || '0'))[0]?.href ?? absolute('/favicon.ico');

  // Logo: a picture in the head of the page that says so, or leads home.
  const candidates = [...document.querySelectorAll('img, svg')].filter(el => shown(el) && el.getBoundingClientRect().top < 400)
    .map(el => {
      const near = el.closest('a, header, nav, [class*="logo" i], [id*="logo" i]');
      const says = [el.id, el.getAttribute('class'), el.alt, el.getAttribute('aria-label'), el.currentSrc, near?.getAttribute('class'), near?.id, near?.getAttribute('aria-label')].join(' ');
      const home = el.closest('a[href]') && new URL(el.closest('a[href]').href, document.baseURI).pathname === '/';
      return { el, score: (/logo/i.test(says) ? 3 : 0) + (home ? 2 : 0) + (el.closest('header, nav') ? 1 : 0) };
    })
    .filter(c => c.score >= 2).sort((a, b) => b.score - a.score);
  const picture = el => el.localName === 'img' ? absolute(el.currentSrc || el.src)
    : 'data:image/svg+xml;utf8,' + encodeURIComponent(new XMLSerializer().serializeToString(el)).slice(0, 20000);
  const logo = candidates.length ? picture(candidates[0].el) : undefined;

  const size = selector => { const el = all.find(e => e.matches(selector)); return el ? style(el).fontSize : undefined; };
  const stackOf = selector => { const el = all.find(e => e.matches(selector)); return el ? style(el).fontFamily.split(',').map(f => f.trim().replace(/^["']|["']$/g, '')) : undefined; };
  const first = text => text?.[0];
  const steps = gaps.ranked().slice(0, 12);
  const baseUnit = [8, 4, 5, 6, 10].map(unit => ({ unit, hits: steps.filter(s => s % unit === 0).length })).sort((a, b) => b.hits - a.hits)[0];

  // prune drops what the page does not show.
  const prune = value => {
    if (Array.isArray(value)) return value.length ? value : undefined;
    if (value === null || typeof value !== 'object') return value === '' ? undefined : value;
    const kept = Object.entries(value).map(([k, v]) => [k, prune(v)]).filter(([, v]) => v !== undefined);
    return kept.length ? Object.fromEntries(kept) : undefined;
  };

  const title = document.title.split(/\s+[|–—·-]\s+/);
  return prune({
    colorScheme: luminance(background) < 0.4 ? 'dark' : 'light',
    brandName: meta('og:site_name') ?? meta('application-name') ?? (title.length > 1 ? title.at(-1).trim() : undefined),
    logo,
    fonts: families.ranked().slice(0, 5).map(family => ({ family })),
    colors: {
      primary,
      secondary: variable(/--(color-|brand-|theme-)*secondary(-color|-500)?$/i) ?? others[0],
      accent: variable(/--(color-|brand-|theme-)*accent(-color|-500)?$/i) ?? others[1] ?? primary,
      background,
      textPrimary: inks[0],
      textSecondary: inks.find(c => c !== inks[0] && saturation(c) < 0.25),
      link,
      success: variable(/--(color-)?success/i),
      warning: variable(/--(color-)?warning/i),
      error: variable(/--(color-)?(error|danger)/i),
    },
    typography: {
      fontFamilies: { primary: families.ranked()[0], heading: first(stackOf('h1, h2, h3')) },
      fontStacks: { body: stackOf('p, li, div'), heading: stackOf('h1, h2, h3') },
      fontSizes: { h1: size('h1'), h2: size('h2'), h3: size('h3'), body: size('p') ?? style(body).fontSize },
      lineHeights: { body: style(all.find(e => e.matches('p')) ?? body).lineHeight },
      fontWeights: { heading: all.find(e => e.matches('h1, h2')) ? style(all.find(e => e.matches('h1, h2'))).fontWeight : undefined, body: style(body).fontWeight },
    },
    spacing: { baseUnit: baseUnit?.hits ? baseUnit.unit : undefined, borderRadius: radii.ranked()[0] ?? '0px' },
    components: {
      buttonPrimary: primaryButton ? look(primaryButton) : undefined,
      buttonSecondary: secondaryButton ? look(secondaryButton) : undefined,
      input: field ? look(field) : undefined,
    },
    images: { logo, favicon: icon, ogImage: absolute(meta('og:image')) },
  }) ?? {};
})()

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PDF, PNG, client, failure, fetchesAs, site } from './live.mjs';

/**
 * Scrapes a page after the given actions.
 * @param {string} path
 * @param {import('@mendable/firecrawl-js').ActionOption[]} actions
 */
function after(path, actions) {
  return client.scrape(site + path, { actions, formats: ['markdown'] });
}

test('wait: for a time and for a selector', async () => {
  const timed = await after('/act/late?ms=300', [{ type: 'wait', milliseconds: 1500 }]);
  assert.match(timed.markdown ?? '', /The late text is here/);
  const selected = await after('/act/late?ms=1500', [{ type: 'wait', selector: '#late' }]);
  assert.match(selected.markdown ?? '', /The late text is here/);
});

test('click: the first match, or all of them', async () => {
  const one = await after('/act/buttons', [{ type: 'click', selector: '#one' }, { type: 'click', selector: '.many' }]);
  assert.match(one.markdown ?? '', /one was clicked/);
  assert.match(one.markdown ?? '', /many A was clicked/);
  assert.doesNotMatch(one.markdown ?? '', /many B was clicked/);
  const everyMatch = /** @type {import('@mendable/firecrawl-js').ClickAction} */ ({ type: 'click', selector: '.many', all: true });
  const all = await after('/act/buttons', [everyMatch]);
  for (const name of ['A', 'B', 'C']) assert.match(all.markdown ?? '', new RegExp(`many ${name} was clicked`));
});

test('write and press: a form is filled and sent', async () => {
  const doc = await after('/act/form', [
    { type: 'click', selector: '#name' },
    { type: 'write', text: 'Ines & Tobi' },
    { type: 'press', key: 'Enter' },
    { type: 'wait', selector: 'h1' },
  ]);
  assert.match(doc.markdown ?? '', /Hello, Ines (&|\\&|&amp;) Tobi/);
  assert.match(String(doc.metadata?.url), /\/act\/greeting\?name=/);
});

test('press: named keys reach the page', async () => {
  const doc = await after('/act/keys', [{ type: 'press', key: 'Tab' }, { type: 'press', key: 'ArrowDown' }]);
  assert.match((doc.markdown ?? '').replaceAll('\\', ''), /\[Tab\]\[ArrowDown\]/);
});

test('scroll: the page, and an element', async () => {
  const doc = await after('/act/scroll', [
    { type: 'scroll', direction: 'down', selector: '#box' },
    { type: 'scroll', direction: 'down' },
    { type: 'wait', milliseconds: 300 },
  ]);
  assert.match(doc.markdown ?? '', /box scrolled, page scrolled/);
  const more = await after('/act/infinite', [
    { type: 'scroll', direction: 'down' },
    { type: 'wait', milliseconds: 300 },
    { type: 'scroll', direction: 'down' },
    { type: 'wait', milliseconds: 300 },
  ]);
  assert.match(more.markdown ?? '', /Item 21\b/);
});

test('screenshot, scrape, executeJavascript and pdf give results in order', async () => {
  const doc = await after('/act/buttons', [
    { type: 'screenshot' },
    { type: 'scrape' },
    { type: 'click', selector: '#one' },
    { type: 'scrape' },
    { type: 'executeJavascript', script: 'return document.querySelectorAll("#log li").length' },
    { type: 'executeJavascript', script: 'return {heading: document.querySelector("h1").textContent}' },
    { type: 'pdf', format: 'A4', landscape: true, scale: 0.8 },
  ]);
  const results = /** @type {{screenshots: string[], scrapes: {url: string, html: string}[],
    javascriptReturns: {type: string, value: unknown}[], pdfs: string[]}} */ (doc.actions);
  assert.equal(results.screenshots.length, 1);
  await fetchesAs(results.screenshots[0], PNG);
  assert.equal(results.scrapes.length, 2);
  assert.equal(results.scrapes[0].url, `${site}/act/buttons`);
  assert.doesNotMatch(results.scrapes[0].html, /<li>one was clicked/);
  assert.match(results.scrapes[1].html, /<li>one was clicked/);
  assert.deepEqual(results.javascriptReturns, [
    { type: 'number', value: 1 },
    { type: 'object', value: { heading: 'Buttons' } },
  ]);
  assert.equal(results.pdfs.length, 1);
  await fetchesAs(results.pdfs[0], PDF);
});

test('a login is carried through', async () => {
  const doc = await after('/act/login', [
    { type: 'click', selector: '#user' },
    { type: 'write', text: 'keeper' },
    { type: 'click', selector: '#password' },
    { type: 'write', text: 'lantern' },
    { type: 'click', selector: '#enter' },
    { type: 'wait', milliseconds: 800 },
  ]);
  assert.match(doc.markdown ?? '', /Account of the keeper/);
});

for (const selector of ['#no-such-element', 'p[unclosed']) {
  test(`a click on ${selector} ends the scrape`, async () => {
    const err = await failure(after('/act/buttons', [{ type: 'click', selector }]));
    assert.equal(err.status, 500);
    assert.equal(err.code, 'SCRAPE_ACTION_ERROR');
  });
}

test('the limits of actions are 400s', async () => {
  const many = await failure(after('/act/buttons', Array.from({ length: 51 }, () => ({ type: 'scrape' }))));
  assert.equal(many.message, 'Number of actions cannot exceed 50');
  const long = await failure(after('/act/buttons', [{ type: 'wait', milliseconds: 60_001 }]));
  assert.equal(long.message, 'Total wait time (waitFor + wait actions) cannot exceed 60 seconds');
  const both = await failure(after('/act/buttons', [{ type: 'wait', milliseconds: 5, selector: '#one' }]));
  assert.equal(both.message, "Either 'milliseconds' or 'selector' must be provided, but not both.");
  for (const err of [many, long, both]) assert.equal(err.status, 400);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JPEG, PNG, WEBP, client, failure, fetchesAs, setBoard, site } from './live.mjs';

test('markdown keeps code, tables and definition lists', async () => {
  const doc = await client.scrape(`${site}/read/docs`, { formats: ['markdown'] });
  assert.match(doc.markdown ?? '', /```bash\n\$ tern install --quiet\n/);
  assert.match(doc.markdown ?? '', /^ {4}if hops == 0:$/m);
  assert.match(doc.markdown ?? '', /\| *Setting *\| *Default *\|/);
});

test('markdown of JSON is a fenced block', async () => {
  const doc = await client.scrape(`${site}/kinds/json`);
  assert.match(doc.markdown ?? '', /^```json\n[^]*"tide"[^]*```\s*$/);
});

test('html is cleaned and absolute, raw html is as received', async () => {
  const doc = await client.scrape(`${site}/read/article`, { formats: ['html', 'rawHtml'] });
  assert.doesNotMatch(doc.html ?? '', /<script|<style|Boilerplate marker/);
  assert.ok(doc.html?.includes(`${site}/kinds/png`));
  assert.match(doc.rawHtml ?? '', /window\.visited/);
});

test('raw bytes come as base64, alone', async () => {
  const formats = /** @type {import('@mendable/firecrawl-js').FormatOption[]} */ (/** @type {unknown} */ (['rawBase64']));
  const doc = /** @type {{rawBase64?: string}} */ (await client.scrape(`${site}/kinds/text`, { formats }));
  assert.match(Buffer.from(doc.rawBase64 ?? '', 'base64').toString(), /^First line\n/);
  const err = await failure(client.scrape(`${site}/kinds/text`, { formats: [...formats, 'markdown'] }));
  assert.equal(err.message, 'The rawBase64 format cannot be combined with other formats');
});

test('links and images are absolute, in order, once each', async () => {
  const { links = [] } = await client.scrape(`${site}/read/links`, { formats: ['links'] });
  assert.ok(links.includes(`${site}/read/base/relative`), `links: ${links}`);
  assert.ok(links.includes('mailto:desk@quay.test'));
  assert.equal(new Set(links).size, links.length);
  const { images = [] } = await client.scrape(`${site}/read/images`, { formats: ['images'] });
  assert.ok(images.includes(`${site}/kinds/png?n=large`), `images: ${images}`);
});

test('a screenshot is a picture', async () => {
  const plain = await client.scrape(`${site}/browser/tall`, { formats: ['screenshot'] });
  await fetchesAs(plain.screenshot, PNG);
  const full = await client.scrape(`${site}/browser/branding`, {
    formats: [{ type: 'screenshot', fullPage: true, quality: 60, viewport: { width: 800, height: 600 } }],
  });
  await fetchesAs(full.screenshot, JPEG, WEBP); // PNG has no quality
});

test('attributes come per selector in the order asked for', async () => {
  const doc = await client.scrape(`${site}/read/listing`, {
    formats: [{ type: 'attributes', selectors: [{ selector: '.card a', attribute: 'href' }, { selector: '.none', attribute: 'id' }] }],
  });
  assert.equal(doc.attributes?.length, 2);
  assert.equal(doc.attributes?.[0].values.length, 4);
  assert.deepEqual(doc.attributes?.[1], { selector: '.none', attribute: 'id', values: [] });
});

test('branding tells colours, fonts and logo', async () => {
  const { branding } = await client.scrape(`${site}/browser/branding`, { formats: ['branding'] });
  assert.equal(branding?.colorScheme, 'light');
  assert.equal(branding?.colors?.primary?.toLowerCase(), '#0b5d4e');
  assert.ok(branding?.fonts?.some((f) => /georgia/i.test(f.family)), JSON.stringify(branding?.fonts));
  assert.match(String(branding?.images?.logo ?? branding?.logo), /\/kinds\/svg/);
});

test('a product has its variants with price and stock', async () => {
  const { product } = await client.scrape(`${site}/read/product`, { formats: ['product'] });
  assert.equal(product?.title, 'Storm lantern, brass');
  assert.equal(product?.brand, 'Lampworks');
  const small = product?.variants.find((v) => v.sku === 'LW-1044-S');
  assert.equal(small?.price?.amount, 84.5);
  assert.equal(small?.price?.currency, 'EUR');
  assert.equal(small?.availability.inStock, true);
  assert.equal(product?.variants.find((v) => v.sku === 'LW-1044-L')?.availability.inStock, false);
});

test('a page without a product says so', async () => {
  const doc = await client.scrape(`${site}/read/short`, { formats: ['product'] });
  assert.equal(doc.product, undefined);
  assert.ok(doc.warning);
});

test('change tracking tells new, same, changed and removed', async () => {
  const board = `tracked-${Date.now()}`;
  /** @type {import('@mendable/firecrawl-js').ScrapeOptions} */
  const options = { formats: ['markdown', { type: 'changeTracking', modes: ['git-diff'] }] };
  const look = async () => (await client.scrape(`${site}/board/${board}`, options)).changeTracking;
  const first = await look();
  assert.equal(first?.changeStatus, 'new');
  assert.equal(first?.previousScrapeAt, null);
  assert.equal((await look())?.changeStatus, 'same');
  await setBoard(board, '<h1>Notice</h1><p>The ferry leaves at nine.</p><p>Bring your own rope.</p>');
  const changed = await look();
  assert.equal(changed?.changeStatus, 'changed');
  const diff = /** @type {{text: string, json: {files: {chunks: {changes: {type: string}[]}[]}[]}}} */ (changed?.diff);
  assert.match(diff.text, /^-The ferry leaves at eight\.$/m);
  assert.match(diff.text, /^\+The ferry leaves at nine\.$/m);
  assert.deepEqual([...new Set(diff.json.files[0].chunks[0].changes.map((c) => c.type))].sort(), ['add', 'del', 'normal']);
  await setBoard(board, '');
  assert.equal((await look())?.changeStatus, 'removed');
});

test('change tracking needs markdown', async () => {
  const err = await failure(client.scrape(`${site}/read/short`, { formats: [{ type: 'changeTracking', modes: [] }] }));
  assert.equal(err.message, 'The changeTracking format requires the markdown format to be specified as well');
});

test('no format gives metadata only', async () => {
  const doc = await client.scrape(`${site}/read/meta`, { formats: [] });
  assert.equal(doc.markdown, undefined);
  assert.equal(doc.metadata?.description, 'First description, second description');
  assert.deepEqual(doc.metadata?.ogLocaleAlternate, ['de_DE', 'sv_SE']);
  assert.deepEqual(doc.metadata?.custom, ['one', 'two']);
  assert.equal(doc.metadata?.statusCode, 200);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { client, failure, origin } from './live.mjs';

test('a site with sitemaps is listed', async () => {
  const base = await origin('sitemaps');
  const { links } = await client.map(base);
  const urls = links.map((l) => l.url);
  for (const path of ['/news/1', '/docs/a', '/deep/2', '/text/1', '/feed/1', '/atom/1', '/broken/1', '/dated/1']) {
    assert.ok(urls.includes(base + path), `${path} is missing in ${urls}`);
  }
  assert.equal(urls[0], base, 'the start comes first');
});

test('a shop without a sitemap is listed to its last page', async () => {
  const base = await origin('shop');
  const { links } = await client.map(base, { limit: 5000 });
  const products = links.filter((l) => l.url.includes('/product/'));
  assert.ok(products.length >= 990, `${products.length} of 1000 products`);
});

test('a search ranks the addresses', async () => {
  const base = await origin('graph');
  const { links } = await client.map(base, { search: 'guide' });
  assert.match(links[0].url, /guide/);
});

test('a host that does not answer is an error', async () => {
  const err = await failure(client.map('http://127.0.0.1:1/'));
  assert.equal(err.status, 500);
  assert.equal(err.code, 'MAP_FAILED');
});

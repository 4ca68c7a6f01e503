import assert from 'node:assert/strict';
import { test } from 'node:test';
import { client, connect, failure, key, site, trawl } from './live.mjs';

test('a page comes as markdown, with its metadata', async () => {
  const address = `${site}/read/article`;
  const doc = await client.scrape(address);
  assert.match(doc.markdown ?? '', /^# Why the harbour clock runs late$/m);
  assert.match(doc.markdown ?? '', /A compromise in brass/);
  assert.equal(doc.html, undefined, 'nothing but what was asked for');
  assert.equal(doc.metadata?.sourceURL, address);
  assert.equal(doc.metadata?.statusCode, 200);
  assert.equal(doc.metadata?.title, 'Why the harbour clock runs late | The Quay Letter');
  assert.equal(doc.metadata?.language, 'en');
  assert.equal(doc.metadata?.proxyUsed, 'basic');
  assert.match(doc.metadata?.scrapeId ?? '', /^[0-9a-f-]{36}$/);
});

test('html, raw html and links come when they are asked for', async () => {
  const doc = await client.scrape(`${site}/read/listing`, { formats: ['html', 'rawHtml', 'links'] });
  assert.equal(doc.markdown, undefined);
  assert.match(doc.html ?? '', /<h1[^>]*>News from the quay<\/h1>/);
  assert.match(doc.rawHtml ?? '', /^<!DOCTYPE html>/);
  assert.ok(doc.links?.includes(`${site}/read/article`), `links: ${doc.links}`);
});

test('a page that answers 404 is a result', async () => {
  const doc = await client.scrape(`${site}/status/404`);
  assert.equal(doc.metadata?.statusCode, 404);
  assert.equal(doc.metadata?.error, 'Not Found');
});

test('a second scrape within maxAge comes from the cache', async () => {
  const address = `${site}/counter?of=${Date.now()}`;
  const first = await client.scrape(address, { maxAge: 3_600_000 });
  const second = await client.scrape(address, { maxAge: 3_600_000 });
  assert.equal(first.metadata?.cacheState, 'miss');
  assert.equal(second.metadata?.cacheState, 'hit');
  assert.equal(second.markdown, first.markdown);
});

test('a scrape can be read again by its id', async () => {
  const doc = await client.scrape(`${site}/read/short`);
  const answer = await fetch(`${trawl}/v2/scrape/${doc.metadata?.scrapeId}`, { headers: { Authorization: `Bearer ${key}` } });
  assert.equal(answer.status, 200);
  const again = await answer.json();
  assert.equal(again.success, true);
  assert.equal(again.data.markdown, doc.markdown);
});

test('a bad key is a 401 the client can tell', async () => {
  const err = await failure(connect('fc-ffffffffffffffffffffffffffffffff').scrape(`${site}/read/short`));
  assert.equal(err.status, 401);
  assert.equal(err.message, 'Unauthorized: Invalid token');
});

for (const url of ['ftp://quay.test/x', 'http://', 'http://http://quay.test', 'http://quay.x']) {
  test(`the address ${url} is a 400`, async () => {
    const err = await failure(client.scrape(url));
    assert.equal(err.status, 400);
    assert.equal(err.code, 'BAD_REQUEST');
    assert.equal(err.message, 'Invalid URL');
  });
}

test('an unknown field is a 400 that names it', async () => {
  const options = { colour: 1 }; // not in the client's declarations either, hence not written in the call
  const err = await failure(client.scrape(`${site}/read/short`, /** @type {{}} */ (options)));
  assert.equal(err.status, 400);
  assert.equal(err.code, 'BAD_REQUEST');
  assert.match(err.message, /^Unrecognized key in body/);
  assert.ok(Array.isArray(err.details));
  assert.deepEqual(err.details[0].keys, ['colour']);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { client, origin } from './live.mjs';

test('a React app gives its rendered text with default options', async () => {
  const doc = await client.scrape(`${await origin('spa')}/`);
  assert.match(doc.markdown ?? '', /^# Tides of today$/m);
  assert.match(doc.markdown ?? '', /High water comes at 06:40 and 19:05\./);
  assert.equal(doc.metadata?.title, 'Tides of today');
});

test('a client-side route gives its own text', async () => {
  const doc = await client.scrape(`${await origin('spa')}/harbours`);
  assert.match(doc.markdown ?? '', /South harbour is 4 metres deep\./);
});

test('fast mode starts no browser, so the shell stays empty', async () => {
  const doc = await client.scrape(`${await origin('spa')}/`, { fastMode: true, maxAge: 0 });
  assert.doesNotMatch(doc.markdown ?? '', /High water/);
});

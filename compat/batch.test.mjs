import assert from 'node:assert/strict';
import { test } from 'node:test';
import { client, failure, origin, site } from './live.mjs';

const graph = await origin('graph');

test('a list of pages is scraped', async () => {
  const urls = [`${graph}/about`, `${graph}/blog/`, `${site}/read/short`];
  const job = await client.batchScrape(urls, { options: { formats: ['markdown'] }, pollInterval: 1 });
  assert.equal(job.status, 'completed');
  assert.deepEqual(job.data.map((d) => d.metadata?.sourceURL).sort(), [...urls].sort());
  assert.equal(job.total, 3);
});

test('bad addresses are left out and named', async () => {
  const started = await client.startBatchScrape([`${graph}/about`, 'ftp://quay.test/x'], { ignoreInvalidURLs: true });
  assert.deepEqual(started.invalidURLs, ['ftp://quay.test/x']);
});

test('pages can be appended', async () => {
  const first = await client.batchScrape([`${graph}/about`], { pollInterval: 1 });
  const more = await client.startBatchScrape([`${graph}/blog/`], { appendToId: first.id });
  assert.equal(more.id, first.id);
  let status = await client.getBatchScrapeStatus(first.id);
  while (status.status === 'scraping') {
    await new Promise((r) => setTimeout(r, 50));
    status = await client.getBatchScrapeStatus(first.id);
  }
  assert.equal(status.data.length, 2);
});

test('an idempotency key works once', async () => {
  const key = crypto.randomUUID();
  await client.startBatchScrape([`${graph}/about`], { idempotencyKey: key });
  const err = await failure(client.startBatchScrape([`${graph}/about`], { idempotencyKey: key }));
  assert.equal(err.status, 409);
  assert.equal(err.code, 'IDEMPOTENCY_KEY_REUSED');
});

test('pages of a batch that could not be had are listed', async () => {
  const job = await client.batchScrape([`${graph}/about`, 'http://127.0.0.1:1/'], { pollInterval: 1 });
  assert.equal(job.completed, 1);
  const errors = await client.getBatchScrapeErrors(job.id);
  assert.equal(errors.errors.length, 1);
  assert.equal(errors.errors[0].url, 'http://127.0.0.1:1/');
  assert.deepEqual(errors.robotsBlocked, []);
});

test('a batch can be cancelled and watched', async () => {
  const started = await client.startBatchScrape([`${site}/slow/never`, `${graph}/about`], { maxConcurrency: 1 });
  assert.equal(await client.cancelBatchScrape(started.id), true);
  const watcher = client.watcher(started.id, { kind: 'batch', pollInterval: 1, timeout: 30 });
  const done = new Promise((resolve, reject) => {
    watcher.on('done', resolve);
    watcher.on('error', reject);
  });
  await watcher.start();
  assert.equal(/** @type {{status: string}} */ (await done).status, 'cancelled');
});

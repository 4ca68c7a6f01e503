import assert from 'node:assert/strict';
import { test } from 'node:test';
import { client, failure, origin } from './live.mjs';

const graph = await origin('graph');
const shop = await origin('shop');
const docs = [
  '/docs/', '/docs/intro', '/docs/guide/', '/docs/api?lang=go', '/docs/api?lang=js', '/docs/api?lang=go&page=2', '/docs/guide/one',
  '/docs/guide/two', '/docs/guide/deep/a', '/docs/guide/deep/b', '/docs/guide/deep/c',
];

/** @param {{metadata?: {sourceURL?: string}}[]} data */
function paths(data) {
  return data.map((d) => (d.metadata?.sourceURL ?? '').replace(graph, '')).sort();
}

test('a crawl brings the pages below its start', async () => {
  const job = await client.crawl(`${graph}/docs/`, { pollInterval: 1 });
  assert.equal(job.status, 'completed');
  assert.deepEqual(paths(job.data), [...docs].sort());
  assert.equal(job.completed, docs.length);
  assert.equal(job.total, docs.length);
  assert.equal(job.creditsUsed, docs.length);
  assert.match(job.data[0].markdown ?? '', /^# Page/m);
});

test('a crawl is started, followed and paged through', async () => {
  const started = await client.startCrawl(`${shop}/`, { limit: 250, sitemap: 'skip', scrapeOptions: { formats: ['markdown', 'links'] } });
  assert.match(started.id, /^[0-9a-f-]{36}$/);
  let status = await client.getCrawlStatus(started.id, { autoPaginate: false });
  assert.ok(['scraping', 'completed'].includes(status.status));
  while (status.status === 'scraping') {
    await new Promise((r) => setTimeout(r, 100));
    status = await client.getCrawlStatus(started.id, { autoPaginate: false });
  }
  assert.equal(status.data.length, 100, 'one page of documents');
  assert.ok(status.next?.includes(`/v2/crawl/${started.id}?skip=100`), `next: ${status.next}`);
  const whole = await client.getCrawlStatus(started.id);
  assert.equal(whole.data.length, 250);
  assert.equal(new Set(whole.data.map((d) => d.metadata?.scrapeId)).size, 250, 'each document once');
});

test('a crawl is listed while it runs, and can be cancelled', async () => {
  const started = await client.startCrawl(`${shop}/`, { limit: 900, delay: 1, sitemap: 'skip' });
  const active = await client.getActiveCrawls();
  const mine = active.crawls.find((c) => c.id === started.id);
  assert.equal(mine?.url, `${shop}/`);
  assert.equal(typeof mine?.teamId, 'string');
  assert.equal(await client.cancelCrawl(started.id), true);
  const status = await client.getCrawlStatus(started.id);
  assert.equal(status.status, 'cancelled');
});

test('pages that could not be had are listed', async () => {
  const job = await client.crawl(`${graph}/about`, { crawlEntireDomain: true, maxDiscoveryDepth: 1, pollInterval: 1 });
  const errors = await client.getCrawlErrors(job.id);
  assert.deepEqual(errors.robotsBlocked, [`${graph}/private/notes`]);
  const away = errors.errors.find((e) => e.url === `${graph}/away`);
  assert.equal(away?.code, 'CRAWL_DENIAL');
});

test('a prompt is turned into options', async () => {
  const params = await client.crawlParamsPreview(`${graph}/`, 'only the blog, at most 5 pages');
  assert.equal(params.limit, 5);
  assert.deepEqual(params.includePaths, ['^/blog(/.*)?$']);
});

test('a watcher gets every document once, and then the whole', async () => {
  const started = await client.startCrawl(`${graph}/docs/`);
  const watcher = client.watcher(started.id, { kind: 'crawl', pollInterval: 1, timeout: 60 });
  let seen = 0;
  const done = new Promise((resolve, reject) => {
    watcher.on('document', () => { seen++; });
    watcher.on('done', resolve);
    watcher.on('error', reject);
  });
  await watcher.start();
  const state = /** @type {{status: string, data: unknown[]}} */ (await done);
  assert.equal(state.status, 'completed');
  assert.equal(state.data.length, docs.length);
  assert.ok(seen <= docs.length, `${seen} documents announced`);
});

test('a crawl that does not exist is a 404', async () => {
  const err = await failure(client.getCrawlStatus('01a1dd59-0786-752e-8f09-d41a85d06648'));
  assert.equal(err.status, 404);
  assert.equal(err.message, 'Not Found');
});

test('a pattern that cannot be read is a 400', async () => {
  const err = await failure(client.startCrawl(`${graph}/`, { includePaths: ['(?=x)'] }));
  assert.equal(err.status, 400);
  assert.match(err.message, /RE2/);
});

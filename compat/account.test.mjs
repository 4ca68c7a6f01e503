import assert from 'node:assert/strict';
import { test } from 'node:test';
import { client, connect, failure, site } from './live.mjs';

test('credit usage counts what was scraped', async () => {
  const before = await client.getCreditUsage();
  assert.equal(typeof before.remainingCredits, 'number');
  assert.equal(typeof before.planCredits, 'number');
  await client.scrape(`${site}/read/short`, { maxAge: 0 });
  const { periods } = await client.getCreditUsageHistorical();
  const newest = periods.at(-1);
  assert.equal(newest?.endDate, null);
  assert.ok((newest?.creditsUsed ?? 0) >= 1, `credits of the current month: ${newest?.creditsUsed}`);
});

test('token usage is credits in tokens', async () => {
  const usage = await client.getTokenUsage();
  assert.equal(typeof usage.remainingTokens, 'number');
});

test('concurrency and queue are numbers', async () => {
  const { concurrency, maxConcurrency } = await client.getConcurrency();
  assert.ok(concurrency >= 0 && maxConcurrency >= 1);
  const queue = await client.getQueueStatus();
  assert.equal(queue.success, true);
  assert.equal(queue.jobsInQueue, queue.activeJobsInQueue + queue.waitingJobsInQueue);
});

test('usage needs a valid key', async () => {
  const err = await failure(connect('fc-ffffffffffffffffffffffffffffffff').getCreditUsage());
  assert.equal(err.status, 401);
});

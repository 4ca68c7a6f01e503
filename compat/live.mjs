// What the suites share: the client under test and the site it scrapes. The
// addresses come from compat/run; without them there is nothing to test, so
// their absence is an error and not a reason to skip.
import assert from 'node:assert/strict';
import { Firecrawl, SdkError } from '@mendable/firecrawl-js';

/** @param {string} name */
function required(name) {
  const value = process.env[name];
  assert.ok(value, `${name} is not set: start the suites with compat/run`);
  return value;
}

export const trawl = required('TRAWL_BASE');
export const key = required('TRAWL_KEY');
export const site = required('TESTSITE_BASE');
export const client = connect(key);

/** @param {string} apiKey */
export function connect(apiKey) {
  return new Firecrawl({ apiKey, apiUrl: trawl });
}

/**
 * The base address of a named origin of the test site.
 * @param {string} name
 * @returns {Promise<string>}
 */
export async function origin(name) {
  const about = await (await fetch(`${site}/_site`)).json();
  const found = about.origins.find((/** @type {{name: string}} */ o) => o.name === name);
  assert.ok(found, `the test site has no origin ${name}`);
  return found.url;
}

/**
 * Changes what a notice board of the test site shows.
 * @param {string} name
 * @param {string} content
 */
export async function setBoard(name, content) {
  const answer = await fetch(`${site}/_site/board/${name}`, { method: 'POST', body: new URLSearchParams({ content }) });
  assert.equal(answer.status, 200);
}

/**
 * The typed error a call fails with.
 * @param {Promise<unknown>} call
 * @returns {Promise<SdkError>}
 */
export async function failure(call) {
  const err = await call.then(
    () => assert.fail('the call succeeded'),
    (/** @type {unknown} */ e) => e,
  );
  assert.ok(err instanceof SdkError, `want an SdkError, got ${err}`);
  return err;
}

/**
 * Asserts that a screenshot or a printed page can be had: an address of trawl's
 * own or a data URI, with the bytes its kind begins with.
 * @param {unknown} address
 * @param {...string} kinds
 */
export async function fetchesAs(address, ...kinds) {
  assert.equal(typeof address, 'string');
  const answer = await fetch(/** @type {string} */ (address));
  assert.equal(answer.status, 200);
  const bytes = Buffer.from(await answer.arrayBuffer());
  const start = bytes.subarray(0, 8).toString('latin1');
  assert.ok(kinds.some((kind) => start.startsWith(kind)), `begins with ${JSON.stringify(start)}`);
}

// The first bytes of the files trawl makes.
export const PNG = '\x89PNG';
export const JPEG = '\xff\xd8';
export const WEBP = 'RIFF';
export const PDF = '%PDF-';

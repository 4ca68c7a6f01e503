import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname } from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { client, failure, key, trawl } from './live.mjs';

/**
 * A file of our own, see fixtures/README.md.
 * @param {string} name
 * @returns {Promise<Uint8Array>}
 */
async function fixture(name) {
  if (texts[name]) return new TextEncoder().encode(texts[name]);
  if (name === 'talk.ppt') return new Uint8Array(gunzipSync(await fixture('talk.ppt.gz')));
  return new Uint8Array(await readFile(new URL(`fixtures/${name}`, import.meta.url)));
}

/** @type {Record<string, string>} */
const texts = {
  'harbour.html': '<!DOCTYPE html><html lang="en"><head><title>The harbour clock</title></head><body><h1>The harbour clock</h1><p>It runs eleven minutes late. More by <a href="https://quay.test/clock">the keeper</a>.</p></body></html>',
  'harbour.htm': '<html><body><h1>The harbour clock</h1><p>It runs eleven minutes late.</p></body></html>',
  'harbour.xhtml': '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body><h1>The harbour clock</h1><p>It runs eleven minutes late.</p></body></html>',
  'harbour.txt': 'The harbour clock\n\nIt runs eleven minutes late.\n',
  'harbour.md': '# The harbour clock\n\nIt runs eleven minutes late.\n',
  'tides.csv': 'Port,Depth\nNorth,7\nSouth,4.5\n',
  'tides.json': '{"port":"North","depth":7}',
  'tides.xml': '<?xml version="1.0"?><tides><port depth="7">North</port></tides>',
  'note.eml': 'From: Keeper <keeper@quay.test>\r\nTo: Town <town@quay.test>\r\nSubject: The harbour clock\r\nDate: Sun, 15 Nov 2026 08:00:00 +0000\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nIt runs eleven minutes late.\r\n',
};

// Every kind of file, and something of what must be in its markdown.
const kinds = [
  { files: ['harbour.docx', 'harbour.docm', 'harbour.doc', 'harbour.odt', 'harbour.rtf'],
    wants: [/^# The harbour clock$/m, /^## What it is made of$/m, /^- Brass wheels$/m, /\[the keeper\]\(https:\/\/quay\.test\/clock\)/, /^\| North \| 7 \|$/m] },
  { files: ['harbour.pdf'], wants: [/^# The harbour clock$/m, /eleven minutes late, and nobody/, /https:\/\/quay\.test\/clock/] },
  { files: ['harbour.epub'], wants: [/The harbour clock/, /eleven minutes late, and nobody/, /\| North \| 7 \|/] },
  { files: ['tides.xlsx', 'tides.xlsm', 'tides.xlsb', 'tides.xls', 'tides.ods'], wants: [/^## Tides$/m, /^\| South \| 4\.5 \|$/m, /^## Lamps$/m, /^\| Mole \| green \|$/m] },
  { files: ['talk.pptx', 'talk.pptm', 'talk.ppt', 'talk.odp'], wants: [/Lamps of the harbour[^]*Who lights them/, /^- Red on the rock$/m] },
  { files: ['sign.png', 'sign.jpg', 'sign.gif', 'sign.tif', 'sign.bmp', 'sign.webp', 'sign.jp2'], wants: [/The harbour clock/, /eleven minutes late/] },
  { files: ['harbour.html', 'harbour.htm', 'harbour.xhtml', 'harbour.md'], wants: [/^# The harbour clock$/m, /eleven minutes late/] },
  { files: ['harbour.txt', 'note.eml'], wants: [/The harbour clock/, /eleven minutes late/] },
  { files: ['tides.csv'], wants: [/^\| North \| 7 \|$/m] },
  { files: ['tides.json'], wants: [/"port": "North"/] },
  { files: ['tides.xml'], wants: [/<port depth="7">North<\/port>/] },
];

/** @type {Record<string, string>} */
const types = {
  '.html': 'text/html', '.htm': 'text/html', '.xhtml': 'application/xhtml+xml', '.txt': 'text/plain', '.md': 'text/markdown', '.csv': 'text/csv',
  '.json': 'application/json', '.xml': 'application/xml', '.eml': 'message/rfc822', '.pdf': 'application/pdf', '.png': 'image/png',
};

// The same files on a web server.
const server = createServer(async (request, response) => {
  const name = (request.url ?? '').slice(1);
  response.setHeader('Content-Type', types[extname(name)] ?? 'application/octet-stream');
  response.end(await fixture(name));
});
let files = '';
before(() => new Promise((resolve) => {
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    assert.ok(address && typeof address === 'object');
    files = `http://127.0.0.1:${address.port}`;
    resolve(undefined);
  });
}));
after(() => new Promise((resolve) => server.close(resolve)));

for (const { files: names, wants } of kinds) {
  for (const name of names) {
    test(`${name} becomes markdown, sent or fetched`, async () => {
      const doc = await client.parse({ data: await fixture(name), filename: name });
      for (const want of wants) assert.match(doc.markdown ?? '', want);
      assert.equal(doc.metadata?.sourceURL, name);
      assert.equal(doc.metadata?.sourceFile, name);
      assert.equal(doc.metadata?.statusCode, 200);
      assert.equal(doc.metadata?.creditsUsed, 1);
      const fetched = await client.scrape(`${files}/${name}`);
      assert.equal(fetched.markdown, doc.markdown);
    });
  }
}

test('formats, parsers and the rest of the options are understood', async () => {
  const doc = await client.parse(
    { data: await fixture('harbour.pdf'), filename: 'harbour.pdf', contentType: 'application/pdf' },
    { formats: ['markdown', 'html', 'links'], parsers: [{ type: 'pdf', mode: 'fast', maxPages: 1, pages: true, blocks: true }], timeout: 60_000, onlyMainContent: true, proxy: 'auto' },
  );
  assert.match(doc.html ?? '', /<h1>The harbour clock<\/h1>/);
  assert.deepEqual(doc.links, ['https://quay.test/clock']);
  assert.equal(doc.metadata?.numPages, 1);
  assert.equal(doc.metadata?.totalPages, 1);
  assert.equal(doc.pages?.length, 1);
  assert.match(doc.pages?.[0]?.markdown ?? '', /The harbour clock/);
  const title = doc.blocks?.[0]?.items.find((item) => item.content.includes('The harbour clock'));
  assert.ok(title?.markdownSpan, 'the heading is found again in the markdown');
  assert.match((doc.markdown ?? '').slice(...title.markdownSpan), /The harbour clock/);
});

test('a parsed file can be read again by its id', async () => {
  const doc = await client.parse({ data: await fixture('harbour.md'), filename: 'harbour.md' });
  const answer = await fetch(`${trawl}/v2/scrape/${doc.metadata?.scrapeId}`, { headers: { Authorization: `Bearer ${key}` } });
  assert.equal((await answer.json()).data.markdown, doc.markdown);
});

test('a file of another kind is a 400 that names the kinds', async () => {
  const err = await failure(client.parse({ data: new Uint8Array([77, 90, 0]), filename: 'setup.exe' }));
  assert.equal(err.status, 400);
  assert.equal(err.code, 'UNSUPPORTED_FILE_TYPE');
  assert.match(err.message, /^Unsupported upload type\. Supported file extensions: \.html, \.htm, /);
});

test('a damaged file is a 500 that says so', async () => {
  const err = await failure(client.parse({ data: '%PDF-1.4 and nothing else', filename: 'harbour.pdf' }));
  assert.equal(err.status, 500);
  assert.equal(err.code, 'DOCUMENT_PARSE_FAILED');
});

test('a file can be sent first and parsed later', async () => {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const opened = await (await fetch(`${trawl}/v2/parse/upload-url`, { method: 'POST', headers, body: JSON.stringify({ filename: 'harbour.docx' }) })).json();
  const { uploadUrl, uploadRef, method, headers: sent } = opened.data;
  assert.equal((await fetch(uploadUrl, { method, headers: sent, body: new Blob([new Uint8Array(await fixture('harbour.docx'))]) })).status, 200);
  const parsed = await (await fetch(`${trawl}/v2/parse`, { method: 'POST', headers, body: JSON.stringify({ uploadRef, formats: ['markdown'] }) })).json();
  assert.match(parsed.data.markdown, /^# The harbour clock$/m);
});

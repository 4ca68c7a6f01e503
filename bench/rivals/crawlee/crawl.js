// Crawls a site to Markdown as one does with Crawlee: CheerioCrawler fetches
// and finds links, turndown writes Markdown, which is thrown away.
//
//   node crawl.js START PAGES AT-ONCE
//
// The last line it writes is {"pages":…,"seconds":…}.
import { CheerioCrawler, Configuration, log } from '@crawlee/cheerio';
import Turndown from 'turndown';

const [start, pages, atOnce] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
if (!start || !(pages > 0) || !(atOnce > 0)) {
  console.error('crawlee: want a start, a number of pages and how many at once');
  process.exit(1);
}
log.setLevel(log.LEVELS.ERROR);

const turndown = new Turndown();
let done = 0;
const crawler = new CheerioCrawler(
  {
    maxRequestsPerCrawl: pages,
    minConcurrency: atOnce,
    maxConcurrency: atOnce,
    maxRequestRetries: 0,
    async requestHandler({ $, body, enqueueLinks }) {
      turndown.turndown($('body').html() ?? String(body));
      done++;
      await enqueueLinks({ globs: [`${start}**`] });
    },
  },
  new Configuration({ persistStorage: false }),
);
const began = performance.now();
await crawler.run([start]);
console.log(JSON.stringify({ pages: done, seconds: (performance.now() - began) / 1000 }));

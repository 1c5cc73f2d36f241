// The pages of the site, their addresses and the sidebar.
// docs/README.md defines the sidebar. A page is on the site if docs/README.md links to it, directly or through other pages.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = normalize(join(dirname(fileURLToPath(import.meta.url)), '..', '..'));
const index = 'docs/README.md';
const link = /(?<!!)\[([^\]\n]*)\]\(([^)\s]+)\)/g;

const read = (page) => readFileSync(join(root, page), 'utf8');
const isExternal = (target) => /^\w+:/.test(target);

/** Returns the target of a link in a page, as a path relative to the root of the repository. */
export const resolve = (page, target) => posix.normalize(posix.join(posix.dirname(page), target.split('#')[0] || posix.basename(page)));

// The README of the repository is the front page.
const renamed = new Map([
  ['README.md', 'index'],
  [index, 'contents'],
]);

/**
 * Returns the path of a page on the site, without `.md`. For example, the path of docs/guides/install.md is
 * guides/install. A README becomes the index of its folder.
 */
function name(page) {
  const path = page.includes('/') ? page.replace(/^docs\//, '') : page.toLowerCase();
  return renamed.get(page) ?? path.replace(/\.md$/, '').replace(/(^|\/)README$/, '$1index');
}

/** Returns the path under which VitePress renders a page, with `.md`. */
export const rewritten = (page) => `${name(page)}.md`;

/** Returns the address of a page on the site, without the `.html` that VitePress appends. */
export const address = (page) => `/${name(page)}`.replace(/\/index$/, '/');

/**
 * Returns the address of the copy of a file that is not a page. The copy of a source file ends in `.txt`, so that a
 * browser shows it as text.
 */
export const fileAddress = (file) => `/files/${file}${/\.(html|svg|png|txt)$/.test(file) ? '' : '.txt'}`;

/** Returns all pages of the site: docs/README.md and every page that it links to, directly or through other pages. */
export function pages() {
  const found = new Set([index]);
  for (const page of found) {
    for (const [, , target] of read(page).matchAll(link)) {
      const path = resolve(page, target);
      if (!isExternal(target) && path.endsWith('.md') && existsSync(join(root, path))) {
        found.add(path);
      }
    }
  }
  return [...found];
}

/** Returns whether a path is a file of the repository. */
export const isFile = (path) => existsSync(join(root, path)) && statSync(join(root, path)).isFile();

const title = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const items = (cell) => [...cell.matchAll(link)].map(([, text, target]) => ({ text: title(text), link: address(resolve(index, target)) }));
const plain = (cell) => cell.replace(link, '$1').split(':')[0].trim();

function itemOf(row) {
  const [first, second] = row.split('|').slice(1, 3).map((cell) => cell.trim());
  const heads = items(first);
  if (heads.length === 1) {
    const children = items(second);
    return children.length > 0 ? { ...heads[0], collapsed: true, items: children } : heads[0];
  }
  return { text: plain(first), collapsed: true, items: [...heads, ...items(second)] };
}

/** Returns the sidebar: a group for each section of docs/README.md, with an item for each row of its table. */
export function sidebar() {
  const [, ...sections] = read(index).split(/^## /m);
  return sections.map((section) => {
    const [heading, ...lines] = section.split('\n');
    const rows = lines.filter((line) => line.startsWith('|')).slice(2);
    return { text: heading, items: rows.length > 0 ? rows.map(itemOf) : items(lines.join('\n')) };
  });
}

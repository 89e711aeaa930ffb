// Addresses of places that a screen sends its reader to.

/** compareAddress is where two chains of a case stand beside each other. */
export const compareAddress = (id: string, before: string, after: string): string =>
  `#/compare/${[id, before, after].map(encodeURIComponent).join('/')}`;

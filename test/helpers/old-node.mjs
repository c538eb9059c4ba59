/** Preloaded into a bundle's process with `node --import`, this makes Node say that it is an old one. */
Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });

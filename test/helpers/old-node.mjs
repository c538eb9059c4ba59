/** Preloaded into a bundle's process with `node --import`, this makes Node report an old version. */
Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });

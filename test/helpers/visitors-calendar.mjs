/**
 * Preloaded into a bundle's process with `node --import`, this sets the current date to the one in the
 * variable TODAY.
 */
const todayMs = Date.parse(process.env.TODAY ?? '');
Date.now = () => todayMs;

/**
 * Preloaded into a bundle's process with `node --import`, this makes the calendar stand still at
 * the moment that the variable TODAY names.
 */
const todayMs = Date.parse(process.env.TODAY ?? '');
Date.now = () => todayMs;

// As some programs that start an action on a developer's machine do.
process.argv.push('run');

import type { Sample } from './page.ts';
import type { Outline, Script } from './page-outline.ts';
import {
  type Constants,
  children,
  eachNode,
  foldString,
  type ScriptNode,
  startOf,
} from './page-script.ts';

/**
 * Samples that are given to components: texts of several lines between backquotes, such as
 * ``export const install = `…` ``. Their language is not known. What stands in a function is judged as code.
 */
export function templateSamplesOf(
  { scripts, lineAt }: Outline,
  constants: Constants,
): readonly Sample[] {
  return scripts.flatMap(statementsOf).flatMap((statement) =>
    templatesIn(statement).flatMap((template) => {
      const lines = foldString(template, constants)?.split(/\r?\n|\r/) ?? [];
      return lines.filter((line) => line.trim() !== '').length < 2
        ? []
        : [{ language: '', lines, line: lineAt(startOf(template)) }];
    }),
  );
}

function statementsOf({ kind, program }: Script): readonly ScriptNode[] {
  return kind === 'esm' ? children(program, 'body') : [program];
}

/** None in a statement that has a function. */
function templatesIn(statement: ScriptNode): readonly ScriptNode[] {
  const templates: ScriptNode[] = [];
  let hasFunction = false;
  eachNode(statement, (node) => {
    hasFunction ||= /Function|Class/.test(node.type);
    if (node.type === 'TemplateLiteral') {
      templates.push(node);
    }
  });
  return hasFunction ? [] : templates;
}

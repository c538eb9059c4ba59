import { kindOfElement } from './page-element.ts';
import { type Constants, child, foldString, type ScriptNode, text } from './page-script.ts';

/** Whether a page exports something by its own name, so that nothing becomes a layout or a component. */
export function isPlainExport(specifier: ScriptNode): boolean {
  const exported = nameOf(child(specifier, 'exported'));
  const isComponent = /^[^a-z]/.test(exported) && exported !== nameOf(child(specifier, 'local'));
  return exported !== 'default' && !isComponent;
}

/** Whether a constant cannot be used as the name of a dangerous element, as in `<Tag>`. */
export function isPlainConstant(declarator: ScriptNode, constants: Constants): boolean {
  const id = child(declarator, 'id');
  const init = child(declarator, 'init');
  if (id?.type !== 'Identifier' || /^[a-z]/.test(nameOf(id)) || init === undefined) {
    return id?.type === 'Identifier';
  }
  const value = foldString(init, constants);
  return value === undefined
    ? !/^(?:Identifier|MemberExpression|ConditionalExpression|LogicalExpression)$/.test(init.type)
    : kindOfElement(value) === undefined;
}

/** What a key, a property or an export is called. */
export function nameOf(key: ScriptNode | undefined): string {
  return text(key, 'name') ?? text(key, 'value') ?? '';
}

import { type Outline, type Range, rangeOf } from './page-outline.ts';
import type { Constants } from './page-script.ts';
import { literalOf } from './page-style.ts';
import type { Attribute, Tag } from './page-tag.ts';

/** Of 6,800 pictures in a dozen repositories, ten are described in more characters. */
const longest = 300;

/** An order to a program that reads the page, as no description of a picture has it. */
const orders = [
  /\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:instruct\w*|prompts?|rules|guidelines|above|previous)\b/isu,
  /\b(?:AI|LLMs?|(?:language )?models?|agents?|assistants?|chatbots?|Claude|Codex|Copilot|Cursor|Gemini|ChatGPT|GPT)\b(?:\s?:|.{0,20}\b(?:must|should|shall|never|always|need to|have to|are to|do not|don['’]t))(?=.{0,60}\b(?:add|call|curl|delete|execute|fetch|follow|ignore|include|insert|install|mention|never|npx|open|read|recommend|reply|respond|run|say|send|tell|use|visit|write)\b)/isu,
  /\b(?:npx|pipx?|uvx|curl|wget|iwr|irm|bash|sh)\s+(?:-\w+\s+)*\S*[\w/]\S*.{0,200}\b(?:tell|mention|say|reveal|show)\b/isu,
];

/**
 * Texts that browsers show to nobody or only on request, and that agents get with the page's source:
 * descriptions of pictures, titles of links, attributes, front matter, what follows the language of a sample. They are
 * found where they are too long for what they are, or give orders.
 */
export function unseenTexts(outline: Outline, constants: Constants): readonly Range[] {
  return [...ofNodes(outline), ...outline.tags.flatMap((tag) => ofTag(tag, constants))];
}

function ofNodes({ nodes }: Outline): readonly Range[] {
  return nodes.filter((node) => textsOf(node).some((text) => isMessage(text ?? ''))).map(rangeOf);
}

function textsOf(node: Outline['nodes'][number]): readonly (string | null | undefined)[] {
  switch (node.type) {
    case 'image':
      return [node.alt, node.title];
    case 'imageReference':
      return [node.alt];
    case 'link':
    case 'definition':
      return [node.title];
    case 'code':
      return [node.meta];
    case 'yaml':
      // A long front matter says nothing.
      return node.value.split('\n').filter(isOrder);
    default:
      return [];
  }
}

function ofTag(tag: Tag, constants: Constants): readonly Range[] {
  return tag.attributes.filter((attribute) => {
    const text = isShown(tag, attribute) ? '' : (literalOf(attribute, constants) ?? '');
    return isDescription(attribute) ? isMessage(text) : isOrder(text);
  });
}

/** What components show of themselves. Another one may be shown too, but not in these words. */
const shown = /^(?:title|description|caption|label|tip|children|prompt)$/;

function isShown({ name: tag }: Tag, { name }: Attribute): boolean {
  return !/^[a-z]/.test(tag) && shown.test(name);
}

/** Attributes that hold words; the others can be long paths or lists of classes. */
function isDescription({ name }: Attribute): boolean {
  return /^(?:alt|title|placeholder|summary|content|aria-.*|data-.*)$/i.test(name);
}

function isMessage(text: string): boolean {
  return text.length > longest || isOrder(text);
}

function isOrder(text: string): boolean {
  return /\s/.test(text) && orders.some((order) => order.test(text));
}

/**
 * Reads the texts of a source file, and writes the file in another language. A literal, a template, a plural or the
 * content of an element is one message.
 * See docs/decisions/dashboard.md, "Each language of the dashboard is a build".
 */
import { parseSync } from 'vite';
import { codeElements, hasWords, isText, programAttributes, programCalls, readAttributes } from './is-text.ts';
import { childrenOf, numbered, type Part, templateOf, textOf } from './parts.ts';
import { hasOwnText, isOfType, isString, jsxText, type Node, nameOf } from './syntax.ts';

export interface Message {
  /** The English text; that of a plural has its two forms, with a bar between. */
  text: string;
  file: string;
  line: number;
}

/** A plural has a text for each form of the language, such as `one` and `other`. */
export type Translation = string | Readonly<Record<string, string>>;

/** Returns undefined for a text that stays English. */
export type Translate = (message: Message) => Translation | undefined;

interface Edit {
  start: number;
  end: number;
  text: string;
}

interface Walk {
  visit: (node: Node, parent: Node) => void;
  slice: (node: Pick<Node, 'start' | 'end'>) => string;
  replace: (node: Pick<Node, 'start' | 'end'>, text: string, write: (translation: Translation) => string) => void;
}

export function translateSource(file: string, source: string, translate: Translate): string {
  const { program, errors } = parseSync(file, source, { lang: 'tsx' });
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const edits: Edit[] = [];
  const walk: Walk = {
    visit(node, parent) {
      if (Array.isArray(node)) for (const each of node) walk.visit(each, parent);
      else if (typeof node?.type === 'string') visitors[node.type]?.(walk, node, parent) ?? visitAll(walk, node);
    },
    slice: ({ start, end }) => withEdits(source, { start, end, edits }),
    replace({ start, end }, text, write) {
      const translation = translate({ text, file, line: source.slice(0, start).split('\n').length });
      if (translation !== undefined) edits.push({ start, end, text: write(translation) });
    },
  };
  walk.visit(program.body, program);
  return walk.slice({ start: 0, end: source.length });
}

function visitAll(walk: Walk, node: Node): void {
  if (isOfType(node)) return;
  for (const [key, child] of Object.entries(node)) {
    if (!/^type(Annotation|Arguments|Parameters)$|^returnType$/.test(key)) walk.visit(child, node);
  }
}

/** A visitor returns true: its node has no other parts with texts. */
const visitors: Record<string, (walk: Walk, node: Node, parent: Node) => true> = {
  ImportDeclaration: () => true,
  ImportExpression: () => true,
  ExportAllDeclaration: () => true,
  SwitchCase(walk, node) {
    walk.visit(node.consequent, node);
    return true;
  },
  Property(walk, node) {
    walk.visit(node.value, node);
    return true;
  },
  MemberExpression(walk, node) {
    walk.visit(node.object, node);
    if (node.computed && !isString(node.property)) walk.visit(node.property, node);
    return true;
  },
  BinaryExpression(walk, node) {
    const sides = [node.left, node.right];
    walk.visit(node.operator === '+' ? sides : sides.filter((side) => !isString(side)), node);
    return true;
  },
  TaggedTemplateExpression(walk, node) {
    walk.visit(node.quasi.expressions, node);
    return true;
  },
  CallExpression: visitCall,
  NewExpression: visitCall,
  Literal(walk, node, parent) {
    const { value } = node;
    if (typeof value === 'string' && parent.type !== 'ExpressionStatement' && isText(value))
      walk.replace(node, value, (translation) => JSON.stringify(translation));
    return true;
  },
  TemplateLiteral(walk, node) {
    walk.visit(node.expressions, node);
    const parts = partsOfTemplate(walk, node);
    const text = textOf(parts);
    if (isText(text)) walk.replace(node, text, (translation) => templateOf(parts, String(translation)));
    return true;
  },
  JSXAttribute(walk, node) {
    const [{ name }, given] = [node.name, node.value];
    if (programAttributes.has(name)) return true;
    if (given?.type !== 'Literal') walk.visit(given, node);
    else if (readAttributes.has(name) ? hasWords(given.value) : isText(given.value))
      walk.replace(given, given.value, (translation) => `{${JSON.stringify(translation)}}`);
    return true;
  },
  JSXElement: visitElement,
  JSXFragment: visitElement,
};

function visitCall(walk: Walk, node: Node): true {
  const name = node.callee.name ?? node.callee.property?.name;
  const [count, forms] = node.arguments;
  walk.visit(node.callee, node);
  if (name === 'plural' && forms?.type === 'ObjectExpression') {
    walk.visit(count, node);
    visitForms(walk, forms);
    return true;
  }
  walk.visit(programCalls.has(name) ? node.arguments.filter((each: Node) => !isString(each)) : node.arguments, node);
  return true;
}

/** The forms of a plural are one message: `{ one: '1 key', other: `${count} keys` }` is `1 key | {count} keys`. */
function visitForms(walk: Walk, forms: Node): void {
  const all = forms.properties.map(({ value }: Node) => {
    if (value.type !== 'TemplateLiteral') return [{ text: value.value }];
    walk.visit(value.expressions, value);
    return partsOfTemplate(walk, value);
  });
  walk.replace(forms, all.map(textOf).join(' | '), (translation) => {
    const written = Object.entries(translation).map(([form, text]) => `${form}: ${templateOf(all.at(-1), text)}`);
    return `{ ${written.join(', ')} }`;
  });
}

function partsOfTemplate(walk: Walk, { quasis, expressions }: Node): Part[] {
  const parts = quasis.flatMap((quasi: Node, index: number): Part[] => {
    const expression = expressions[index];
    const text = { text: quasi.value.cooked };
    return expression ? [text, { name: nameOf(expression), open: () => walk.slice(expression) }] : [text];
  });
  return numbered(parts);
}

function visitElement(walk: Walk, node: Node): true {
  walk.visit(node.openingElement?.attributes, node);
  if (codeElements.has(node.openingElement?.name.name)) return true;
  if (!hasOwnText(node)) {
    walk.visit(node.children, node);
    return true;
  }
  const parts = numbered(partsOfContent(walk, node));
  const text = textOf(parts);
  if (!hasWords(text)) return true;
  const content = { start: node.children[0].start, end: node.children.at(-1).end };
  walk.replace(content, text, (translation) => childrenOf(parts, String(translation)));
  return true;
}

function partsOfContent(walk: Walk, node: Node): Part[] {
  return node.children.flatMap((child: Node): Part[] => {
    const inner = child.type === 'JSXExpressionContainer' ? child.expression : child;
    if (inner.type === 'JSXEmptyExpression') return [];
    if (inner.type === 'JSXText') return [{ text: jsxText(inner.value) }];
    if (inner.type === 'Literal' && typeof inner.value === 'string') return [{ text: inner.value }];
    if (child.type !== 'JSXElement' || !hasOwnText(child)) {
      walk.visit(child, node);
      return [{ name: nameOf(child), open: () => walk.slice(child) }];
    }
    const { openingElement, closingElement } = child;
    walk.visit(openingElement.attributes, child);
    const [open, close] = [() => walk.slice(openingElement), () => walk.slice(closingElement)];
    return [{ name: nameOf(child), open, close, parts: partsOfContent(walk, child) }];
  });
}

/** An edit contains what the edits inside it have written. */
function withEdits(source: string, { start, end, edits }: { start: number; end: number; edits: Edit[] }): string {
  const inside = edits
    .filter((edit) => edit.start >= start && edit.end <= end)
    .sort((one, other) => one.start - other.start || other.end - one.end);
  let [at, written] = [start, ''];
  for (const edit of inside) {
    if (edit.start < at) continue;
    written += source.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return written + source.slice(at, end);
}

/** What the tree of a source file says about the texts in it. */

// biome-ignore lint/suspicious/noExplicitAny: the nodes have too many types to name them.
export type Node = any;

export function isString(node: Node): boolean {
  return node?.type === 'Literal' || node?.type === 'TemplateLiteral';
}

export function hasOwnText(node: Node): boolean {
  return node.children.some(
    (child: Node) =>
      (child.type === 'JSXText' && jsxText(child.value).trim() !== '') ||
      (child.type === 'JSXExpressionContainer' && /\S/.test(child.expression.value ?? '')),
  );
}

/** JSX joins the lines of a text by spaces, and drops the white space around its line breaks. */
export function jsxText(raw: string): string {
  const lines = raw.split(/\r?\n/);
  return lines
    .map((line, index) => {
      const begun = index === 0 ? line : line.trimStart();
      return index === lines.length - 1 ? begun : begun.trimEnd();
    })
    .filter((line) => line !== '')
    .join(' ');
}

/** The name by which a value or an element stands in the catalogue, so that translators know what it is. */
export function nameOf(node: Node): string {
  switch (node?.type) {
    case 'Identifier':
      return node.name;
    case 'MemberExpression':
      return nameOf(node.computed ? node.object : node.property);
    case 'CallExpression':
      return nameOf(nameOfCall(node));
    case 'LogicalExpression':
      return nameOf(node.operator === '&&' ? node.right : node.left);
    case 'JSXExpressionContainer':
    case 'TSNonNullExpression':
    case 'TSAsExpression':
    case 'ChainExpression':
      return nameOf(node.expression);
    case 'JSXElement':
      return nameOfElement(node);
    default:
      return 'value';
  }
}

/** The result of `formatAmount(amount, currency)` is called `amount`, and that of `name.trim()` is called `name`. */
function nameOfCall({ callee, arguments: given }: Node): Node {
  if (given.length > 0 && !isString(given[0])) return given[0];
  return callee.object ?? callee;
}

function nameOfElement(node: Node): string {
  const [inner] = node.children.filter((child: Node) => child.type !== 'JSXText');
  return inner && !hasOwnText(node) ? nameOf(inner) : (node.openingElement.name.name ?? 'value');
}

/** Parts of a type are no parts of the program. */
export function isOfType(node: Node): boolean {
  return node.type.startsWith('TS') && !node.expression;
}

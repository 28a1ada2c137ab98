/** The folder of `tokens.css`, the style sheet of all pages for people. */
export const lookFolder = `${import.meta.dirname}/../../look`;

/** The folder of `tokens.css`, the style sheet that all pages for people use. */
export const lookFolder = `${import.meta.dirname}/../../look`;

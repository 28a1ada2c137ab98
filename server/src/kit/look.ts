/** Where the style sheet lies that every page for people begins with, whichever room it comes from. */
export const lookFolder = `${import.meta.dirname}/../../look`;

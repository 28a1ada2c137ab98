export const lookFolder = `${import.meta.dirname}/../../look`;

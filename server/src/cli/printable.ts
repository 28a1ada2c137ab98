/** Control characters are replaced, because a terminal obeys them and merchants choose some of these texts. */
export const printable = (text: string): string => text.replaceAll(/\p{C}/gu, '�');

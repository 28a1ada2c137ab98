import type { DisplayLanguage } from '@tillhook/sdk/session';

const languageNames: Record<NonNullable<DisplayLanguage>, string> = {
  'ar-EG': 'Arabic (Egypt)',
  'zh-CN': 'Chinese (China)',
  'nl-NL': 'Dutch (Netherlands)',
  'en-AU': 'English (Australia)',
  'en-CA': 'English (Canada)',
  'en-IN': 'English (India)',
  'en-NG': 'English (Nigeria)',
  'en-ZA': 'English (South Africa)',
  'en-GB': 'English (United Kingdom)',
  'en-US': 'English (United States)',
  'fr-FR': 'French (France)',
  'de-DE': 'German (Germany)',
  'hi-IN': 'Hindi (India)',
  'it-IT': 'Italian (Italy)',
  'ja-JP': 'Japanese (Japan)',
  'ko-KR': 'Korean (South Korea)',
  'pl-PL': 'Polish (Poland)',
  'pt-BR': 'Portuguese (Brazil)',
  'pt-PT': 'Portuguese (Portugal)',
  'es-MX': 'Spanish (Mexico)',
  'es-ES': 'Spanish (Spain)',
  'sv-SE': 'Swedish (Sweden)',
  'tr-TR': 'Turkish (Türkiye)',
};

export const languages = Object.entries(languageNames).map(([value, label]) => ({ value, label }));

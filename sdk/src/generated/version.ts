// Made by `npm run generate` from openapi/openapi.yaml. Do not edit.
export const version = '0.2.0';

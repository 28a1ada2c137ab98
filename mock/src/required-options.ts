import { type Command, Help, type Option } from 'commander';

/** For `configureHelp`: says of an option that it is required. */
export function describeOption(option: Option): string {
  const about = new Help().optionDescription(option);
  return option.mandatory ? `${about} (required)` : about;
}

/**
 * Makes a command and those below it name all required options that are missing, where commander names the first.
 *
 * Choice: `server/src/cli/program.ts` has these two functions too. The only package that both could import them from,
 * that of the contract, does not depend on commander.
 */
export function nameAllMissing(command: Command): void {
  const refusing = command as unknown as { missingMandatoryOptionValue(): void };
  refusing.missingMandatoryOptionValue = () => {
    const missing = command.options.filter(
      (option) => option.mandatory && command.getOptionValue(option.attributeName()) === undefined,
    );
    const flags = missing.map((option) => `'${option.flags}'`).join(', ');
    command.error(`error: required option${missing.length > 1 ? 's' : ''} ${flags} not specified`);
  };
  for (const below of command.commands) nameAllMissing(below);
}

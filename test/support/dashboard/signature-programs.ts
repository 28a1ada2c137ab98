/** The commands that run the samples of the step `Verify a signature`, for seven languages. */
interface SignatureProgram {
  /** The command, to which the name of the file is added. */
  command: string[];
  /** The name of the file that contains the sample. */
  file: string;
}

export const signaturePrograms: Record<string, SignatureProgram> = {
  Node: { command: [process.execPath], file: 'verify.mjs' },
  Python: { command: ['python3'], file: 'verify.py' },
  Go: { command: ['go', 'run'], file: 'verify.go' },
  Java: { command: ['java'], file: 'Verify.java' },
  PHP: { command: ['php'], file: 'verify.php' },
  Ruby: { command: ['ruby'], file: 'verify.rb' },
  Shell: { command: ['sh'], file: 'verify.sh' },
};

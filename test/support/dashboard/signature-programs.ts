interface SignatureProgram {
  /** The name of the file is appended to this command. */
  command: string[];
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

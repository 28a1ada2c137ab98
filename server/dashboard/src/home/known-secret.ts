/** The secret of the endpoint that was created on this page: the only time that it can be read without the password. */
export interface KnownSecret {
  endpointId: string;
  secret: string;
}

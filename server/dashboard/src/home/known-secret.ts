/** The secret of the endpoint that was created on this page. Later it can be read only with the password. */
export interface KnownSecret {
  endpointId: string;
  secret: string;
}

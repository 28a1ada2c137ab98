export type StatusReason =
  | 'attempts_exhausted'
  | 'endpoint_gone'
  | 'worker_crashed'
  | 'endpoint_inactive'
  | 'endpoint_removed';

/** The reason why an attempt got no answer, as an error code of the contract. */
export type DeliveryError =
  | 'address_refused'
  | 'dns_failed'
  | 'connection_refused'
  | 'connection_reset'
  | 'connect_timeout'
  | 'timeout'
  | 'tls_failed'
  | 'protocol_error'
  | 'network_error';

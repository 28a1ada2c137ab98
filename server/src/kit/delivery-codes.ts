export type StatusReason =
  | 'attempts_exhausted'
  | 'endpoint_gone'
  | 'worker_crashed'
  | 'endpoint_inactive'
  | 'endpoint_removed';

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

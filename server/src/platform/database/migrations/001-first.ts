import { Migration } from '@mikro-orm/migrations';

export class First extends Migration {
  override up(): void {
    this.addSql(merchants);
    this.addSql(payments);
    this.addSql(transfers);
    this.addSql(products);
    this.addSql(webhookEndpoints);
    this.addSql(deliveries);
    this.addSql(agendaJobs);
  }
}

const merchants = `
  create table merchant (
    id uuid primary key,
    name text not null,
    currency char(3) not null,
    created_at timestamptz(3) not null
  );
  create table api_key (
    id uuid primary key,
    merchant_id uuid not null references merchant (id),
    mode text not null check (mode in ('test', 'live')),
    hash bytea not null,
    prefix text not null,
    last4 text not null,
    created_at timestamptz(3) not null,
    constraint api_key_hash_unique unique (hash)
  );`;

const payments = `
  create table payment (
    id uuid primary key,
    merchant_id uuid not null references merchant (id),
    mode text not null check (mode in ('test', 'live')),
    reference text not null,
    access_code uuid not null,
    amount bigint not null check (amount between 1 and 999999999999),
    currency char(3) not null,
    status text not null check (status in ('pending', 'processing', 'completed', 'failed', 'expired')),
    customer_email text not null,
    description text,
    metadata jsonb not null,
    callback_url text,
    cancel_url text,
    locale text,
    attempts int not null check (attempts between 0 and 3),
    payment_method jsonb,
    failure_code text,
    failure_message text,
    expires_at timestamptz(3) not null,
    completed_at timestamptz(3),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    constraint payment_reference_unique unique (merchant_id, mode, reference),
    constraint payment_access_code_unique unique (access_code)
  );
  create index payment_list on payment (merchant_id, mode, id desc);
  create index payment_customer on payment (merchant_id, mode, lower(customer_email), id desc);
  create index payment_expiry on payment (expires_at) where status = 'pending';
  create index payment_undecided on payment (updated_at) where status = 'processing';
  create table payment_attempt (
    id uuid primary key,
    payment_id uuid not null references payment (id),
    number int not null check (number between 1 and 3),
    brand text not null,
    last4 text not null,
    outcome text check (outcome in ('paid', 'declined')),
    failure_code text,
    started_at timestamptz(3) not null,
    settled_at timestamptz(3),
    constraint payment_attempt_number_unique unique (payment_id, number)
  );`;

const transfers = `
  create table transfer (
    id uuid primary key,
    merchant_id uuid not null references merchant (id),
    mode text not null check (mode in ('test', 'live')),
    reference text not null,
    amount bigint not null check (amount between 1 and 999999999999),
    fee bigint not null check (fee >= 0),
    currency char(3) not null,
    status text not null check (status in ('pending', 'processing', 'completed', 'failed', 'reversed')),
    recipient_name text not null,
    account_number_last4 text not null,
    bank_code text not null,
    narration text,
    failure_code text,
    failure_reason text,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    completed_at timestamptz(3),
    constraint transfer_reference_unique unique (merchant_id, mode, reference)
  );
  create index transfer_list on transfer (merchant_id, mode, id desc);`;

const products = `
  create table product (
    id uuid primary key,
    merchant_id uuid not null references merchant (id),
    mode text not null check (mode in ('test', 'live')),
    name text not null,
    description text,
    price bigint not null check (price between 1 and 999999999999),
    currency char(3) not null,
    image_url text,
    stock int check (stock >= 0),
    is_active boolean not null,
    metadata jsonb not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  );
  create index product_storefront on product (merchant_id, mode, id desc) where is_active;`;

const webhookEndpoints = `
  create table webhook_endpoint (
    id uuid primary key,
    merchant_id uuid not null references merchant (id),
    mode text not null check (mode in ('test', 'live')),
    url text not null,
    sealed_secret text not null,
    secret_last4 text not null,
    events text not null,
    is_active boolean not null,
    success_count bigint not null default 0,
    failure_count bigint not null default 0,
    last_delivered_at timestamptz(3),
    created_at timestamptz(3) not null,
    removed_at timestamptz(3)
  );
  create index webhook_endpoint_list on webhook_endpoint (merchant_id, mode, id desc) where removed_at is null;`;

// The body of an event is stored as text: jsonb would reorder its keys, and the signature covers its exact bytes.
const deliveries = `
  create table event (
    id uuid primary key,
    merchant_id uuid not null,
    mode text not null,
    name text not null,
    reference text,
    body text not null,
    created_at timestamptz(3) not null
  );
  create table delivery (
    id uuid primary key,
    event_id uuid not null,
    endpoint_id uuid not null,
    merchant_id uuid not null,
    mode text not null,
    status text not null check (status in ('pending', 'delivered', 'failed', 'skipped')),
    status_reason text,
    attempt_count int not null default 0,
    claims int not null default 0,
    next_attempt_at timestamptz,
    lease uuid,
    created_at timestamptz(3) not null,
    completed_at timestamptz(3)
  );
  create index delivery_due on delivery (endpoint_id, next_attempt_at) where status = 'pending';
  create index delivery_next on delivery (next_attempt_at) where status = 'pending';
  create table delivery_attempt (
    id uuid primary key,
    delivery_id uuid not null,
    attempt int not null,
    started_at timestamptz(3) not null,
    duration_ms int not null,
    status_code int,
    error text,
    response_headers jsonb,
    response_body text,
    response_truncated boolean not null
  );
  create index delivery_attempt_list on delivery_attempt (delivery_id, attempt);`;

// The table of the schedule's store is created here, because two processes that start at the same time would both try
// to create it.
const agendaJobs = `
  create table agenda_jobs (
    id uuid primary key default gen_random_uuid(),
    name varchar(255) not null,
    priority integer not null default 0,
    next_run_at timestamptz,
    type varchar(10) not null default 'normal' check (type in ('normal', 'single')),
    locked_at timestamptz,
    last_finished_at timestamptz,
    failed_at timestamptz,
    fail_count integer,
    fail_reason text,
    repeat_timezone varchar(100),
    last_run_at timestamptz,
    repeat_interval varchar(255),
    data jsonb default '{}'::jsonb,
    repeat_at varchar(255),
    disabled boolean default false,
    progress real,
    fork boolean default false,
    last_modified_by varchar(255),
    debounce_started_at timestamptz,
    start_date timestamptz,
    end_date timestamptz,
    skip_days jsonb,
    created_at timestamptz default now(),
    updated_at timestamptz default now()
  );
  create index agenda_jobs_find_and_lock_idx on agenda_jobs (name, next_run_at, priority desc, locked_at, disabled)
    where disabled = false;
  create unique index agenda_jobs_single_job_idx on agenda_jobs (name) where type = 'single';
  create index agenda_jobs_locked_at_idx on agenda_jobs (locked_at) where locked_at is not null;
  create index agenda_jobs_next_run_at_idx on agenda_jobs (next_run_at) where next_run_at is not null;`;

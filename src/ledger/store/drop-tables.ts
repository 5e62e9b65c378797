import type { Generated } from 'kysely';
import type { RowOutcome } from '../../domain/delivery/correction.js';
import type { DropFormat, DropState } from '../../domain/drop.js';
import type { IssueCode, Refusal } from '../../domain/issue.js';
import type { Disposition } from '../../domain/row.js';

/** The tables of files and their rows, as part of `Tables`. */
export interface DropTables {
  contained_file: {
    source: string;
    container_sha256: string;
    container_bytes: number;
    sha256: string;
  };
  remote_file: {
    source: string;
    place: string;
    name: string;
    version: string;
    sha256: string;
    fetched_at: string;
    settled_at: string | null;
  };
  remote_inbox: {
    source: string;
    looked_at: string;
    waiting: number;
    oldest_at: string | null;
    away_since: string | null;
    message: string | null;
    remedy: string | null;
  };
  result: {
    drop_id: number;
    due_at: string;
    delivered_at: string | null;
    failed_at: string | null;
    tries: Generated<number>;
    error: string | null;
  };
  drop_file: {
    drop_id: Generated<number>;
    source: string;
    sha256: string;
    part: Generated<string>;
    bytes: number;
    file_name: string;
    format: DropFormat | null;
    operation: string;
    environment: string;
    state: DropState;
    sheet: string | null;
    header_line: number | null;
    header: string | null;
    mapping: string | null;
    settings: string | null;
    staged_line: Generated<number>;
    rows_read: number | null;
    hidden_rows: Generated<number>;
    sheets_left: Generated<string | null>;
    zones: Generated<string | null>;
    staged: Generated<number>;
    duplicate: Generated<number>;
    amended: Generated<number>;
    invalid: Generated<number>;
    skipped: Generated<number>;
    non_data: Generated<number>;
    blank: Generated<number>;
    further: Generated<number>;
    refusal: string | null;
    run_id: number;
    taken_at: string;
    published_at: string | null;
  };
  changed_file: {
    drop_id: number;
    run_id: number;
    noticed_at: string;
  };
  refused_drop: {
    drop_id: number;
    taken_at: string;
    code: Refusal['code'];
    closed_at: string | null;
    decision_id: number | null;
  };
  arrival: {
    arrival_id: Generated<number>;
    drop_id: number;
    run_id: number;
    file_name: string;
    arrived_at: string;
  };
  row: {
    drop_id: number;
    line: number;
    disposition: Disposition;
    submission_id: number | null;
    lines: Generated<number>;
    cells: string | null;
    stray_quotes: string | null;
  };
  issue: {
    drop_id: number;
    line: number;
    ordinal: number;
    code: IssueCode;
    column_name: string | null;
    value: string | null;
    message: string | null;
    remedy: string;
    decision_id: Generated<number | null>;
  };
  resolution: {
    drop_id: number;
    line: number;
    decision_id: number;
    submission_id: number | null;
  };
  corrected_row: {
    decision_id: number;
    drop_id: number;
    line: number;
    cells: string | null;
    outcome: RowOutcome | null;
  };
  returned_file: {
    returned_file_id: Generated<number>;
    decision_id: number;
    sha256: string;
    file_name: string;
    run_id: number | null;
    arrived_at: string;
  };
  correction_issue: {
    decision_id: number;
    ordinal: number;
    sheet: string | null;
    line: number;
    code: IssueCode;
    column_name: string | null;
    value: string | null;
    message: string | null;
    remedy: string;
  };
}

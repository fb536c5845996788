// Door of the folder.
export { type ReportAnswer, type ReportFormat, type ReportSettings, report } from './report.ts';

import type { CallNeeds, Handlers } from './call.ts'
import { setAlwaysAskMe } from './calls/always-ask-set.ts'
import { exportAudit } from './calls/audit-export.ts'
import { listAudit } from './calls/audit-list.ts'
import { verifyAudit } from './calls/audit-verify.ts'
import { getDesk } from './calls/desk-get.ts'
import { endForRun } from './calls/grants-end-run.ts'
import { changeGrant } from './calls/grants-change.ts'
import { listGrants } from './calls/grants-list.ts'
import { revokeGrant } from './calls/grants-revoke.ts'
import { applyImport } from './calls/import-apply.ts'
import { scanImports } from './calls/import-scan.ts'
import { getLimits } from './calls/limits-get.ts'
import { setSharedLimits } from './calls/limits-set.ts'
import { addConfiguredModel } from './calls/models-add.ts'
import { findModels } from './calls/models-find.ts'
import { listModels } from './calls/models-list.ts'
import { removeConfiguredModel } from './calls/models-remove.ts'
import { testModel } from './calls/models-test.ts'
import { setPreferences } from './calls/preferences-set.ts'
import { checkReview } from './calls/review-check.ts'
import { decideReview } from './calls/review-decide.ts'
import { dismissReview } from './calls/review-dismiss.ts'
import { keepDraft } from './calls/review-draft.ts'
import { getReview } from './calls/review-get.ts'
import { addConfiguredRoot } from './calls/roots-add.ts'
import { browseFolder } from './calls/roots-browse.ts'
import { detectRoots } from './calls/roots-detect.ts'
import { endRootForRun } from './calls/roots-end-run.ts'
import { listRoots } from './calls/roots-list.ts'
import { mapRootForServer } from './calls/roots-map.ts'
import { removeConfiguredRoot } from './calls/roots-remove.ts'
import { addRule } from './calls/rules-add.ts'
import { changeRule } from './calls/rules-change.ts'
import { listRules } from './calls/rules-list.ts'
import { raiseConfiguredRule } from './calls/rules-raise.ts'
import { removeConfiguredRule } from './calls/rules-remove.ts'
import { addServer } from './calls/servers-add.ts'
import { changeConfiguredServer } from './calls/servers-change.ts'
import { disableServer } from './calls/servers-disable.ts'
import { getServer } from './calls/servers-get.ts'
import { limitServer } from './calls/servers-limits.ts'
import { removeConfiguredServer } from './calls/servers-remove.ts'
import { restartServer } from './calls/servers-restart.ts'
import { startServer } from './calls/servers-start.ts'
import { stopServer } from './calls/servers-stop.ts'
import { unmuteServer } from './calls/servers-unmute.ts'
import { closeSession } from './calls/session-close.ts'
import { exportTimeline } from './calls/timeline-export.ts'
import { listTimeline } from './calls/timeline-list.ts'
import { getMessage } from './calls/timeline-message.ts'
import { setTraffic } from './calls/timeline-traffic.ts'
import { callTool } from './calls/tools-call.ts'
import { cancelCall } from './calls/tools-cancel.ts'
import { checkArguments } from './calls/tools-check.ts'
import { listTools } from './calls/tools-list.ts'
import { listUsage } from './calls/usage-list.ts'

/** Every call, each with what it needs of the desk and no more. */
export function createHandlers(needs: CallNeeds): Handlers {
  return {
    'session/close': closeSession(needs),
    'review/get': getReview(needs),
    'review/draft': keepDraft(needs),
    'review/check': checkReview(needs),
    'review/decide': decideReview(needs),
    'review/dismiss': dismissReview(needs),
    'always-ask/set': setAlwaysAskMe(needs),
    'preferences/set': setPreferences(needs),
    'desk/get': getDesk(needs),
    'usage/list': listUsage(needs),
    'servers/get': getServer(needs),
    'servers/start': startServer(needs),
    'servers/stop': stopServer(needs),
    'servers/restart': restartServer(needs),
    'servers/add': addServer(needs),
    'servers/change': changeConfiguredServer(needs),
    'servers/remove': removeConfiguredServer(needs),
    'servers/disable': disableServer(needs),
    'servers/limits': limitServer(needs),
    'servers/unmute': unmuteServer(needs),
    'limits/get': getLimits(needs),
    'limits/set': setSharedLimits(needs),
    'import/scan': scanImports(needs),
    'import/apply': applyImport(needs),
    'rules/add': addRule(needs),
    'rules/change': changeRule(needs),
    'rules/remove': removeConfiguredRule(needs),
    'rules/raise': raiseConfiguredRule(needs),
    'rules/list': listRules(needs),
    'grants/list': listGrants(needs),
    'grants/change': changeGrant(needs),
    'grants/revoke': revokeGrant(needs),
    'grants/end-run': endForRun(needs),
    'roots/list': listRoots(needs),
    'roots/add': addConfiguredRoot(needs),
    'roots/remove': removeConfiguredRoot(needs),
    'roots/map': mapRootForServer(needs),
    'roots/end-run': endRootForRun(needs),
    'roots/detect': detectRoots(needs),
    'roots/browse': browseFolder(needs),
    'models/list': listModels(needs),
    'models/find': findModels(needs),
    'models/add': addConfiguredModel(needs),
    'models/remove': removeConfiguredModel(needs),
    'models/test': testModel(needs),
    'tools/list': listTools(needs),
    'tools/check': checkArguments(needs),
    'tools/call': callTool(needs),
    'tools/cancel': cancelCall(needs),
    'timeline/list': listTimeline(needs),
    'timeline/message': getMessage(needs),
    'timeline/traffic': setTraffic(needs),
    'timeline/export': exportTimeline(needs),
    'audit/list': listAudit(needs),
    'audit/verify': verifyAudit(needs),
    'audit/export': exportAudit(needs),
  }
}

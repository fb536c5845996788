// A vitest reporter that ends the run with the plain line `N passed, N failed, N skipped`, which CI systems read. A test that
// passed only on its second try (CI allows one, see vitest.config.ts) is named before it: it counts as passed, and needs mending.

/** @type {import('vitest/reporters').Reporter} */
export default class Tally {
  /**
   * @param {ReadonlyArray<import('vitest/node').TestModule>} modules
   * @param {ReadonlyArray<unknown>} errors
   */
  onTestRunEnd(modules, errors) {
    const count = { passed: 0, failed: errors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        count[test.result().state] += 1;
        if (test.diagnostic()?.flaky)
          console.log(`passed on its second try: ${module.relativeModuleId} > ${test.fullName}`);
      }
      // Of a describe whose hook failed, the tests count as skipped: the failure is the suite's own.
      const suites = [module, ...module.children.allSuites()];
      count.failed += suites.filter((suite) => suite.errors().length > 0).length;
    }
    const skipped = count.skipped + count.pending;
    console.log(`${count.passed} passed, ${count.failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  }
}

/**
 * Leaves out what no test can reach because the types or the state machine exclude it: the default branch of an exhaustive
 * switch, and a plain `Error` for a state that cannot occur. Errors that a caller can see are of other classes.
 */
const impossibleStates = {
  shouldIgnore(path) {
    if (path.isSwitchCase() && path.node.test === null && returnsAssertNever(path.node)) return EXHAUSTIVE;
    const guard = path.parentPath;
    if (guard?.isIfStatement() && path.key !== 'alternate' && throwsError(guard.node.consequent))
      return GUARD;
    return undefined;
  },
};

const EXHAUSTIVE = 'the types exclude this branch';
const GUARD = 'no state leads here';

function returnsAssertNever({ consequent: [statement] }) {
  return statement?.type === 'ReturnStatement' && statement.argument?.callee?.name === 'assertNever';
}

function throwsError(consequent) {
  const statement = consequent.type === 'BlockStatement' ? consequent.body[0] : consequent;
  return statement?.type === 'ThrowStatement' && statement.argument.callee?.name === 'Error';
}

export const strykerPlugins = [{ kind: 'Ignore', name: 'impossible-states', value: impossibleStates }];

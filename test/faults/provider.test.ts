import { GROUPS } from './scenarios/index.js';
import { describeScenarios } from './suite.js';

describeScenarios('provider', GROUPS.provider);

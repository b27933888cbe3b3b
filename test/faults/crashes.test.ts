import { GROUPS } from './scenarios/index.js';
import { describeScenarios } from './suite.js';

describeScenarios('crashes', GROUPS.crashes);

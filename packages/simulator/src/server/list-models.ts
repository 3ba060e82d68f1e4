import type { DialectName } from 'holdfast/dialects';
import type { JsonObject } from 'holdfast/turn';
import type { Scenario } from '../scenario/scenario.js';

export const MODEL_PREFIX = 'sim-';

export function listModels(dialect: DialectName, scenarios: readonly Scenario[]): JsonObject {
  if (dialect === 'gemini') {
    return {
      models: scenarios.map(({ name, about }) => ({
        name: `models/${MODEL_PREFIX}${name}`,
        version: '1',
        displayName: `Simulated: ${name}`,
        description: about,
        inputTokenLimit: 1_048_576,
        outputTokenLimit: 65_536,
        supportedGenerationMethods: ['generateContent'],
      })),
    };
  }
  const data = scenarios.map(({ name }) => ({
    id: `${MODEL_PREFIX}${name}`,
    object: 'model',
    created: 1_790_000_000,
    owned_by: 'holdfast-simulator',
  }));
  return { object: 'list', data };
}

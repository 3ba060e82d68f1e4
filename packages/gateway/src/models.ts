import type { JsonObject } from 'holdfast/turn';
import { closestName } from './closest-name.js';
import type { Exchange } from './exchange.js';
import type { House } from './house.js';
import type { Outcome } from './outcome.js';
import { Refusal } from './refusal.js';
import type { ListedModel } from './route-table.js';
import { sendRefusal, sendWhole } from './send.js';

/** Whose list: the dialects name the same models in two shapes. */
export type ModelShape = 'openai' | 'gemini';

/** Google's SDK of 2026 asks for the list under `/v1`, where OpenAI's clients ask too; its own headers tell them apart. */
function shapeOf(exchange: Exchange): ModelShape {
  const { headers } = exchange.request;
  const isGoogle = headers['x-goog-api-client'] !== undefined || headers['x-goog-api-key'] !== undefined;
  return isGoogle || exchange.path.startsWith('/v1beta') ? 'gemini' : 'openai';
}

export async function listModels(exchange: Exchange, house: House): Promise<Outcome> {
  const models = house.routes.list();
  const body: JsonObject =
    shapeOf(exchange) === 'gemini'
      ? { models: models.map(geminiModel) }
      : { object: 'list', data: models.map(openaiModel) };
  sendWhole(exchange.response, { status: 200, headers: {}, body });
  return { status: 200 };
}

export async function showModel(exchange: Exchange, house: House, id: string): Promise<Outcome> {
  const models = house.routes.list();
  const model = models.find((candidate) => candidate.id === id);
  if (model === undefined) {
    const closest = closestName(
      id,
      models.map((candidate) => candidate.id),
    );
    const hint = closest === undefined ? '' : ` Did you mean "${closest}"?`;
    const refusal = new Refusal(
      'model_not_found',
      `The model "${id.slice(0, 200)}" is none of this gateway's.${hint} GET /v1/models lists them all.`,
    );
    return sendRefusal(exchange.response, exchange.dialect, refusal);
  }
  const body = shapeOf(exchange) === 'gemini' ? geminiModel(model) : openaiModel(model);
  sendWhole(exchange.response, { status: 200, headers: {}, body });
  return { status: 200 };
}

function openaiModel(model: ListedModel): JsonObject {
  return { id: model.id, object: 'model', created: model.createdAtSeconds ?? 0, owned_by: model.ownedBy };
}

function geminiModel(model: ListedModel): JsonObject {
  return {
    name: `models/${model.id}`,
    displayName: model.id,
    ...(model.contextWindow === undefined ? {} : { inputTokenLimit: model.contextWindow }),
    ...(model.outputLimit === undefined ? {} : { outputTokenLimit: model.outputLimit }),
    supportedGenerationMethods: ['generateContent', 'streamGenerateContent'],
  };
}

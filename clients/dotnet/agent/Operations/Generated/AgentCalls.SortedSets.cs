// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using System.Text.Json.Nodes;
using Larder.Client;

namespace Larder.Agent;

/// <content>The responses of sorted sets.</content>
internal static partial class AgentCalls
{
    private static JsonObject SortedSetFetchAnswer(LookupResult<IReadOnlyList<ScoredElement>> result) => result switch
    {
        { IsHit: true } => AgentAnswer.Result("hit").WithList("elements", result.Value),
        { IsMiss: true } => AgentAnswer.Result("miss"),
        _ => AgentAnswer.FailedOr(result),
    };

    private static JsonObject SortedSetGetScoreAnswer(LookupResult<IReadOnlyList<double?>> result) => result switch
    {
        { IsHit: true } => AgentAnswer.Result("hit").WithList("scores", result.Value),
        { IsMiss: true } => AgentAnswer.Result("miss"),
        _ => AgentAnswer.FailedOr(result),
    };

    private static JsonObject SortedSetGetRankAnswer(LookupResult<long> result) => result switch
    {
        { IsHit: true } => AgentAnswer.Result("hit").With("rank", result.Value),
        { IsMiss: true } => AgentAnswer.Result("miss"),
        _ => AgentAnswer.FailedOr(result),
    };

    private static JsonObject SortedSetIncrementAnswer(CacheResult<double> result) => result switch
    {
        { IsSuccess: true } => AgentAnswer.Result("success").WithScore("score", result.Value),
        _ => AgentAnswer.FailedOr(result),
    };

    private static JsonObject SortedSetLengthAnswer(LookupResult<int> result) => result switch
    {
        { IsHit: true } => AgentAnswer.Result("hit").With("length", result.Value),
        { IsMiss: true } => AgentAnswer.Result("miss"),
        _ => AgentAnswer.FailedOr(result),
    };

    private static JsonObject SortedSetLengthByScoreAnswer(LookupResult<int> result) => result switch
    {
        { IsHit: true } => AgentAnswer.Result("hit").With("length", result.Value),
        { IsMiss: true } => AgentAnswer.Result("miss"),
        _ => AgentAnswer.FailedOr(result),
    };

    private static JsonObject SortedSetUnionStoreAnswer(CacheResult<int> result) => result switch
    {
        { IsSuccess: true } => AgentAnswer.Result("success").With("length", result.Value),
        _ => AgentAnswer.FailedOr(result),
    };
}

// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using System.Text.Json.Nodes;
using Larder.Client;

namespace Larder.Agent;

/// <content>The responses of sets.</content>
internal static partial class AgentCalls
{
    private static JsonObject SetFetchAnswer(LookupResult<IReadOnlyList<CacheValue>> result) => result switch
    {
        { IsHit: true } => AgentAnswer.Result("hit").WithList("elements", result.Value),
        { IsMiss: true } => AgentAnswer.Result("miss"),
        _ => AgentAnswer.FailedOr(result),
    };

    private static JsonObject SetSampleAnswer(LookupResult<IReadOnlyList<CacheValue>> result) => result switch
    {
        { IsHit: true } => AgentAnswer.Result("hit").WithList("elements", result.Value),
        { IsMiss: true } => AgentAnswer.Result("miss"),
        _ => AgentAnswer.FailedOr(result),
    };

    private static JsonObject SetDifferenceAnswer(CacheResult<bool> result) => result switch
    {
        { IsSuccess: true, Value: true } => AgentAnswer.Result("hit"),
        { IsSuccess: true, Value: false } => AgentAnswer.Result("miss"),
        _ => AgentAnswer.FailedOr(result),
    };

    private static JsonObject SetContainsAnswer(LookupResult<IReadOnlyList<bool>> result) => result switch
    {
        { IsHit: true } => AgentAnswer.Result("hit").WithList("contains", result.Value),
        { IsMiss: true } => AgentAnswer.Result("miss"),
        _ => AgentAnswer.FailedOr(result),
    };

    private static JsonObject SetLengthAnswer(LookupResult<int> result) => result switch
    {
        { IsHit: true } => AgentAnswer.Result("hit").With("length", result.Value),
        { IsMiss: true } => AgentAnswer.Result("miss"),
        _ => AgentAnswer.FailedOr(result),
    };

    private static JsonObject SetPopAnswer(LookupResult<IReadOnlyList<CacheValue>> result) => result switch
    {
        { IsHit: true } => AgentAnswer.Result("hit").WithList("elements", result.Value),
        { IsMiss: true } => AgentAnswer.Result("miss"),
        _ => AgentAnswer.FailedOr(result),
    };
}

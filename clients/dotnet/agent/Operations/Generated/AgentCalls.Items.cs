// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using System.Text.Json;
using System.Text.Json.Nodes;
using Larder.Client;

namespace Larder.Agent;

/// <content>The responses of items.</content>
internal static partial class AgentCalls
{
    private static JsonObject IncrementAnswer(CacheResult<long> result) => result switch
    {
        { IsSuccess: true } => AgentAnswer.Result("success").WithNumber("number", result.Value),
        _ => AgentAnswer.FailedOr(result),
    };

    private static JsonObject ItemGetTtlAnswer(LookupResult<TimeSpan> result) => result switch
    {
        { IsHit: true } => AgentAnswer.Result("found").With("remainingTtlMs", (long)result.Value.TotalMilliseconds),
        { IsMiss: true } => AgentAnswer.Result("missing"),
        _ => AgentAnswer.FailedOr(result),
    };

    private static JsonObject ItemGetTypeAnswer(LookupResult<CacheItemType> result) => result switch
    {
        { IsHit: true } => AgentAnswer.Result("found").With("type", JsonNamingPolicy.CamelCase.ConvertName(result.Value.ToString())),
        { IsMiss: true } => AgentAnswer.Result("missing"),
        _ => AgentAnswer.FailedOr(result),
    };

    private static JsonObject GetWithHashAnswer(LookupResult<HashedValue> result) => result switch
    {
        { IsHit: true } => AgentAnswer.Result(
            "found").WithBytes("value", result.Value.Value.Span).With("hashBase64", Convert.ToBase64String(result.Value.Hash.Span)),
        { IsMiss: true } => AgentAnswer.Result("missing"),
        _ => AgentAnswer.FailedOr(result),
    };

    private static JsonObject UpdateTtlAnswer(LookupResult<bool> result) => result switch
    {
        { IsHit: true, Value: true } => AgentAnswer.Result("set"),
        { IsHit: true, Value: false } => AgentAnswer.Result("notSet"),
        { IsMiss: true } => AgentAnswer.Result("missing"),
        _ => AgentAnswer.FailedOr(result),
    };

    private static JsonObject UpdateTtlIfPrefixAnswer(LookupResult<PrefixTtlUpdate> result) => result switch
    {
        { IsHit: true, Value.IsUpdated: true } => AgentAnswer.Result("set"),
        { IsHit: true, Value.IsUpdated: false } => AgentAnswer.Result("different").WithBytes("prefix", result.Value.Prefix.Span),
        { IsMiss: true } => AgentAnswer.Result("missing"),
        _ => AgentAnswer.FailedOr(result),
    };
}

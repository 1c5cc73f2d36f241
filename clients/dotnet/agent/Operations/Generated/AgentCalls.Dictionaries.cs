// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using System.Text.Json.Nodes;
using Larder.Client;

namespace Larder.Agent;

/// <content>The responses of dictionaries.</content>
internal static partial class AgentCalls
{
    private static JsonObject DictionaryGetAnswer(LookupResult<IReadOnlyList<CacheValue?>> result) => result switch
    {
        { IsHit: true } => AgentAnswer.Result("hit").WithList("values", result.Value),
        { IsMiss: true } => AgentAnswer.Result("miss"),
        _ => AgentAnswer.FailedOr(result),
    };

    private static JsonObject DictionaryFetchAnswer(LookupResult<IReadOnlyList<DictionaryField>> result) => result switch
    {
        { IsHit: true } => AgentAnswer.Result("hit").WithList("items", result.Value),
        { IsMiss: true } => AgentAnswer.Result("miss"),
        _ => AgentAnswer.FailedOr(result),
    };

    private static JsonObject DictionaryIncrementAnswer(CacheResult<long> result) => result switch
    {
        { IsSuccess: true } => AgentAnswer.Result("success").WithNumber("number", result.Value),
        _ => AgentAnswer.FailedOr(result),
    };

    private static JsonObject DictionaryLengthAnswer(LookupResult<int> result) => result switch
    {
        { IsHit: true } => AgentAnswer.Result("hit").With("length", result.Value),
        { IsMiss: true } => AgentAnswer.Result("miss"),
        _ => AgentAnswer.FailedOr(result),
    };
}

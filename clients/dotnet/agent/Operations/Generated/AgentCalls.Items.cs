// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using System.Text.Json;
using System.Text.Json.Nodes;
using Larder.Client;

namespace Larder.Agent;

/// <content>The responses of items.</content>
internal static partial class AgentCalls
{
    private static JsonObject Of(DeleteResponse response) => response switch
    {
        DeleteResponse.Success => AgentAnswer.Result("success"),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Of(IncrementResponse response) => response switch
    {
        IncrementResponse.Success told => AgentAnswer.Result("success").WithNumber("number", told.Value),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Of(ItemGetTtlResponse response) => response switch
    {
        ItemGetTtlResponse.Found found => AgentAnswer.Result("found").With("remainingTtlMs", (long)found.RemainingTtl.TotalMilliseconds),
        ItemGetTtlResponse.Missing => AgentAnswer.Result("missing"),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Of(ItemGetTypeResponse response) => response switch
    {
        ItemGetTypeResponse.Found found => AgentAnswer.Result("found").With("type", JsonNamingPolicy.CamelCase.ConvertName(found.Type.ToString())),
        ItemGetTypeResponse.Missing => AgentAnswer.Result("missing"),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Of(GetWithHashResponse response) => response switch
    {
        GetWithHashResponse.Hit hit => AgentAnswer.Result("found").WithBytes("value", hit.Value.Span).With("hashBase64", Convert.ToBase64String(hit.Hash.Span)),
        GetWithHashResponse.Miss => AgentAnswer.Result("missing"),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Of(UpdateTtlResponse response) => response switch
    {
        UpdateTtlResponse.Set => AgentAnswer.Result("set"),
        UpdateTtlResponse.NotSet => AgentAnswer.Result("notSet"),
        UpdateTtlResponse.Missing => AgentAnswer.Result("missing"),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Of(UpdateTtlIfPrefixResponse response) => response switch
    {
        UpdateTtlIfPrefixResponse.Set => AgentAnswer.Result("set"),
        UpdateTtlIfPrefixResponse.Different different => AgentAnswer.Result("different").WithBytes("prefix", different.Prefix.Span),
        UpdateTtlIfPrefixResponse.Missing => AgentAnswer.Result("missing"),
        _ => AgentAnswer.FailedOr(response),
    };
}

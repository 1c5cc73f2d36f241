// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using System.Text.Json.Nodes;
using Larder.Client;

namespace Larder.Agent;

/// <content>The responses of control.</content>
internal static partial class AgentCalls
{
    private static JsonObject Of(CreateCacheResponse response) => response switch
    {
        CreateCacheResponse.Success => AgentAnswer.Result("success"),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Of(DeleteCacheResponse response) => response switch
    {
        DeleteCacheResponse.Success => AgentAnswer.Result("success"),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Of(FlushCacheResponse response) => response switch
    {
        FlushCacheResponse.Success => AgentAnswer.Result("success"),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Of(PingResponse response) => response switch
    {
        PingResponse.Success => AgentAnswer.Result("success"),
        _ => AgentAnswer.FailedOr(response),
    };
}

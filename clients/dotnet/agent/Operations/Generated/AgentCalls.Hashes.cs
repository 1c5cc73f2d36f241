// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using System.Text.Json.Nodes;
using Larder.Client;

namespace Larder.Agent;

/// <content>The responses of hashes.</content>
internal static partial class AgentCalls
{
    private static JsonObject Of(SetIfHashResponse response) => response switch
    {
        SetIfHashResponse.Stored stored => AgentAnswer.Result("stored").With("hashBase64", Convert.ToBase64String(stored.Hash.Span)),
        SetIfHashResponse.NotStored => AgentAnswer.Result("notStored"),
        _ => AgentAnswer.FailedOr(response),
    };
}

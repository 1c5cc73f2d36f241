// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using System.Text.Json.Nodes;
using Larder.Client;

namespace Larder.Agent;

/// <content>The responses of hashes.</content>
internal static partial class AgentCalls
{
    private static JsonObject SetIfHashAnswer(SetIfHashResult result) => result switch
    {
        { IsStored: true } => AgentAnswer.Result("stored").With("hashBase64", Convert.ToBase64String(result.Hash.Span)),
        { IsNotStored: true } => AgentAnswer.Result("notStored"),
        _ => AgentAnswer.FailedOr(result),
    };
}

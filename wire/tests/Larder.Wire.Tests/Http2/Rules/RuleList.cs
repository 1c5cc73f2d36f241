namespace Larder.Wire.Tests.Http2.Rules;

/// <summary>All rules that frames can violate, grouped by the side that must enforce them.</summary>
internal static class RuleList
{
    private static readonly Rule[] Both =
        [.. FrameRules.All, .. StreamRules.All, .. ControlFrameRules.All, .. FlowRules.All, .. MessageRules.All, .. CompressionRules.All];

    /// <summary>The rules that a server enforces on clients, by name.</summary>
    public static readonly IReadOnlyDictionary<string, Rule> OfClients =
        Named([.. Both, .. RequestStreamRules.All, .. RequestFlowRules.All, .. RequestRules.All]);

    /// <summary>The rules that a client enforces on servers, by name.</summary>
    public static readonly IReadOnlyDictionary<string, Rule> OfServers = Named([.. Both, .. AnswerRules.All]);

    private static Dictionary<string, Rule> Named(Rule[] rules) => rules.ToDictionary(rule => rule.Name);
}

using Larder.Server.Calls;

namespace Larder.Server.Security;

/// <summary>What one call needs of a token.</summary>
/// <param name="Path">The unary form's wire path.</param>
/// <param name="PipelineField">Its field in a pipeline; 0: unary only.</param>
/// <param name="Needs">The role.</param>
/// <param name="Keys">Where its request names keys.</param>
/// <param name="StrongerArm">The field whose presence makes it need more; 0: there is none.</param>
/// <param name="StrongerNeeds">What it needs then.</param>
internal sealed record CallPolicy(
    string Path,
    int PipelineField,
    Rights Needs,
    KeyField[] Keys,
    int StrongerArm = 0,
    Rights StrongerNeeds = Rights.None)
{
    private static readonly Dictionary<string, CallPolicy> ByPath = CallPolicies.All.ToDictionary(static each => each.Path, StringComparer.Ordinal);
    private static readonly CallPolicy?[] ByField = Index();

    /// <summary>All that any request of the call may need.</summary>
    public Rights Most { get; } = Needs | StrongerNeeds;

    /// <summary>Whether its role is one on topics, and its cache and topic are in its request.</summary>
    public bool IsOfTopics { get; init; }

    /// <summary>Whether its cache is in the metadata.</summary>
    public bool IsScoped => Needs is not (Rights.None or Rights.Admin) && !IsOfTopics;

    /// <summary>The pipeline's fields, a bit each, of the calls that need no more than these rights, and of those that there are not.</summary>
    public static ulong FieldsWithin(Rights rights)
    {
        ulong fields = ulong.MaxValue;
        for (int field = 0; field < Math.Min(ByField.Length, 64); field++)
        {
            if (ByField[field] is { } policy && (policy.Most & ~rights) != 0)
            {
                fields &= ~(1UL << field);
            }
        }

        return fields;
    }

    /// <summary>The policy of a wire path; null: the table of operations has no such call.</summary>
    public static CallPolicy? Of(string path) => ByPath.GetValueOrDefault(path);

    /// <summary>The policy of a pipeline's field; null: there is no such call.</summary>
    public static CallPolicy? Of(int field) => (uint)field < (uint)ByField.Length ? ByField[field] : null;

    /// <summary>The policy of a data call.</summary>
    public static CallPolicy Of(CacheCall call) => ByPath[call.Path];

    private static CallPolicy?[] Index()
    {
        CallPolicy?[] byField = new CallPolicy?[CallPolicies.All.Max(static each => each.PipelineField) + 1];
        foreach (CallPolicy policy in CallPolicies.All.Where(static each => each.PipelineField != 0))
        {
            byField[policy.PipelineField] = policy;
        }

        return byField;
    }
}

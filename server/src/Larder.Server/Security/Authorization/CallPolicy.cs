using Larder.Server.Calls;

namespace Larder.Server.Security;

/// <summary>The rights that a call needs.</summary>
/// <param name="Path">The wire path of the unary call.</param>
/// <param name="PipelineField">The field of the call in a pipeline; 0 if the call exists only as a unary call.</param>
/// <param name="Needs">The required role.</param>
/// <param name="Keys">The fields of the request that contain keys.</param>
/// <param name="StrongerArm">The number of the field that requires more rights if it is present; 0 if there is no such field.</param>
/// <param name="StrongerNeeds">The rights that the call needs if the field <c>StrongerArm</c> is present.</param>
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

    /// <summary>Gets the union of the rights that any request of the call may need.</summary>
    public Rights Most { get; } = Needs | StrongerNeeds;

    /// <summary>Gets whether the role applies to topics. In this case, the request contains the cache and the topic.</summary>
    public bool IsOfTopics { get; init; }

    /// <summary>Gets whether the metadata name the cache.</summary>
    public bool IsScoped => Needs is not (Rights.None or Rights.Admin) && !IsOfTopics;

    /// <summary>Returns a bit set of the pipeline fields whose calls need no more than the given rights. The bits of unknown fields are also set.</summary>
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

    /// <summary>Returns the policy for a wire path; null if the table of operations has no such call.</summary>
    public static CallPolicy? Of(string path) => ByPath.GetValueOrDefault(path);

    /// <summary>Returns the policy for a pipeline field; null if no call has that field.</summary>
    public static CallPolicy? Of(int field) => (uint)field < (uint)ByField.Length ? ByField[field] : null;

    /// <summary>Returns the policy of a data call.</summary>
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

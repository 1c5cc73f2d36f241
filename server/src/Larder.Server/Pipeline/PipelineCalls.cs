using Larder.Server.Calls;

namespace Larder.Server.Pipeline;

/// <summary>The pipelined calls by the field that they travel in.</summary>
internal static class PipelineCalls
{
    public const int GetField = 4;
    public const int SetField = 5;

    private static readonly CacheCall?[] ByField = Index();

    /// <summary>One more than the highest field.</summary>
    public static int FieldCount => ByField.Length;

    /// <summary>The names of all, for their meters.</summary>
    public static IEnumerable<string> Names => ByField.OfType<CacheCall>().Select(call => call.Name);

    /// <summary>The call of a field; null where this server has none.</summary>
    public static CacheCall? Find(int field) => (uint)field < (uint)ByField.Length ? ByField[field] : null;

    private static CacheCall?[] Index()
    {
        CacheCall[] calls = [.. CacheCalls.Single, .. CacheCalls.Batches];
        CacheCall?[] byField = new CacheCall?[calls.Max(call => call.PipelineField) + 1];
        foreach (CacheCall call in calls)
        {
            byField[call.PipelineField] = call;
        }

        return byField;
    }
}

using Larder.Server.Calls;

namespace Larder.Server.Pipeline;

/// <summary>Finds the pipelined calls by their field number.</summary>
internal static class PipelineCalls
{
    public const int GetField = 4;
    public const int SetField = 5;

    private static readonly CacheCall?[] ByField = Index();

    /// <summary>Gets the highest field number plus one.</summary>
    public static int FieldCount => ByField.Length;

    /// <summary>Gets the names of all calls. Each name has a meter.</summary>
    public static IEnumerable<string> Names => ByField.OfType<CacheCall>().Select(call => call.Name);

    /// <summary>Returns the call for a field; null if the field is unknown.</summary>
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

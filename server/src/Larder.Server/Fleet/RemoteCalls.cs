using Larder.Server.Calls;
using Larder.Server.Pipeline;

namespace Larder.Server.Fleet;

/// <summary>Finds the implementation of a data call for a gateway.</summary>
internal static class RemoteCalls
{
    private static readonly IReadOnlyDictionary<string, RemoteCall> ByName = WithCosts(RemoteCallTable.ByName);

    private static readonly RemoteCall?[] ByField = [.. Enumerable.Range(0, PipelineCalls.FieldCount).Select(field => Find(PipelineCalls.Find(field)))];

    /// <summary>Returns the implementation of the call with this pipeline field, or null if gateways do not support the call.</summary>
    public static RemoteCall? Find(int field) => (uint)field < (uint)ByField.Length ? ByField[field] : null;

    /// <summary>Returns the implementation of a call, or null if gateways do not support the call.</summary>
    public static RemoteCall? Find(CacheCall? call) => call is null ? null : ByName.GetValueOrDefault(call.Name);

    private static IReadOnlyDictionary<string, RemoteCall> WithCosts(IReadOnlyDictionary<string, RemoteCall> calls)
    {
        foreach (CacheCall call in CacheCalls.Single.Concat(CacheCalls.Batches))
        {
            if (calls.TryGetValue(call.Name, out RemoteCall? remote))
            {
                remote.Cost = call.Cost;
            }
        }

        return calls;
    }
}

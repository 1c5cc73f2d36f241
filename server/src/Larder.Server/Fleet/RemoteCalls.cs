using Larder.Server.Calls;
using Larder.Server.Pipeline;

namespace Larder.Server.Fleet;

/// <summary>What a front does of each data call: one row a call.</summary>
internal static class RemoteCalls
{
    private static readonly Dictionary<string, RemoteCall> ByName = new(StringComparer.Ordinal)
    {
        ["Get"] = new RemoteGet(),
        ["Set"] = new RemoteSet(),
        ["Delete"] = new RemoteDelete(),
        ["KeysExist"] = new RemoteKeysExist(),
        ["Increment"] = new RemoteIncrement(),
        ["SetIf"] = new RemoteSetIf(),
        ["UpdateTtl"] = new RemoteUpdateTtl(),
        ["ItemGetTtl"] = new RemoteItemGetTtl(),
        ["SetIfNotExists"] = new RemoteSetIfNotExists(),
        ["GetWithHash"] = new RemoteGetWithHash(),
        ["SetIfHash"] = new RemoteSetIfHash(),
        ["ItemGetType"] = new RemoteItemGetType(),
        ["GetBatch"] = new RemoteGetBatch(),
        ["SetBatch"] = new RemoteSetBatch(),
    };

    private static readonly RemoteCall?[] ByField = [.. Enumerable.Range(0, PipelineCalls.FieldCount).Select(field => Find(PipelineCalls.Find(field)))];

    /// <summary>The row of a pipelined call's field; null where a front has none.</summary>
    public static RemoteCall? Find(int field) => (uint)field < (uint)ByField.Length ? ByField[field] : null;

    /// <summary>The row of a call; null where a front has none.</summary>
    public static RemoteCall? Find(CacheCall? call) => call is null ? null : ByName.GetValueOrDefault(call.Name);
}
